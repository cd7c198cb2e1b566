"""A file server on 127.0.0.1 that can misbehave, for the tests of gpt2_download.

usage: http_server.py FOLDER PORT_FILE LOG_FILE

Serves FOLDER/NAME for any request whose path ends in /NAME.  The first part of the path says how:
  good       as the hub does: x-linked-size, x-linked-etag, ranges
  plain      no such headers, no ranges (the whole file, status 200)
  redirect   status 302 to good; only the first answer has the linked headers
  half       closes after half of what is left, once; later requests are good
  cut        closes after half of what is left, every time, without taking in ranges
  html       an HTML page with status 200 and type text/html
  page       the same, named application/octet-stream
  pointer    a Git LFS pointer in place of the file
  bigger     one byte more than x-linked-size says
  altered    one byte differs from what x-linked-etag says
  401, 404, 407, 500   that status
LOG_FILE gets one line a request: method, path, range.  Stops after 60 s without a request, after
1000 requests, or on the path /stop.
"""
import hashlib
import os
import socketserver
import sys
from http.server import BaseHTTPRequestHandler

folder, port_file, log_file = sys.argv[1:4]
halved = set()


def etag(name, data):
    if name.endswith(".safetensors"):
        return hashlib.sha256(data).hexdigest()
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def reply(self, status, body, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if "Content-Length" not in dict(headers):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        span = self.headers.get("Range", "-")
        with open(log_file, "a") as log:
            log.write("GET %s %s\n" % (self.path, span))
        parts = self.path.strip("/").split("/")
        how, name = parts[0], parts[-1]
        if how == "stop":
            self.reply(200, b"")
            self.server.over = True
        elif how.isdigit():
            self.reply(int(how), b"<html>status</html>")
        elif how in ("html", "page"):
            kind = "text/html" if how == "html" else "application/octet-stream"
            self.reply(200, b"<!DOCTYPE html><html>log in</html>", [("Content-Type", kind)])
        elif how == "pointer":
            self.reply(200, b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
        elif not os.path.isfile(os.path.join(folder, name)):
            self.reply(404, b"")
        else:
            self.serve(how, name, span)

    def serve(self, how, name, span):
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        headers = [("Content-Type", "application/octet-stream")]
        if how != "plain":
            headers += [("X-Linked-Size", str(len(data))),
                        ("X-Linked-Etag", '"%s"' % etag(name, data))]
        if how == "redirect":
            headers += [("Location", "/moved" + self.path[len("/redirect"):])]
            self.reply(302, b"", headers)
            return
        if how == "bigger":
            data += b"\0"
        if how == "altered":
            data = data[:-1] + bytes([data[-1] ^ 1])
        if how == "moved":
            headers = headers[:1] + [("ETag", '"of the store"')]
        start = 0
        status = 200
        if span.startswith("bytes=") and how not in ("plain", "cut"):
            start = int(span[len("bytes="):].split("-")[0])
            if start >= len(data):
                self.reply(416, b"", headers)
                return
            status = 206
            headers.append(("Content-Range", "bytes %d-%d/%d" % (start, len(data) - 1, len(data))))
        body = data[start:]
        headers.append(("Content-Length", str(len(body))))
        if how == "cut" or (how == "half" and name not in halved):
            halved.add(name)
            body = body[:len(body) // 2]
            self.close_connection = True
        self.reply(status, body, headers)


class Server(socketserver.TCPServer):
    allow_reuse_address = True
    timeout = 60
    over = False

    def handle_timeout(self):
        self.over = True


with Server(("127.0.0.1", 0), Handler) as server:
    with open(port_file + ".new", "w") as file:
        file.write(str(server.server_address[1]))
    os.rename(port_file + ".new", port_file)
    for _ in range(1000):
        if server.over:
            break
        server.handle_request()

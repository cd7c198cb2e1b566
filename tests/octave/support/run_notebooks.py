"""Runs notebooks with the Octave kernel and looks at what their cells give.

    python run_notebooks.py NOTEBOOK...

Prints a line each: its name, the pictures shown, and the first error.  The kernel reports an error
of Octave as text, so the text is searched.  Exit code 1 when a cell failed.
"""

import pathlib
import re
import sys

import nbformat
from nbclient import NotebookClient

SECONDS = 300


def texts(cell):
    for output in cell.outputs:
        if output.output_type == 'stream':
            yield output.text
        elif output.output_type == 'error':
            yield 'error: ' + output.evalue


def run(file):
    """Pictures shown, and the first error or None."""
    book = nbformat.read(file, as_version=4)
    folder = {'metadata': {'path': str(file.parent)}}
    NotebookClient(book, timeout=SECONDS, kernel_name='octave', resources=folder).execute()
    cells = [cell for cell in book.cells if cell.cell_type == 'code']
    pictures = sum('image/png' in output.get('data', {}) for cell in cells
                   for output in cell.outputs)
    for cell in cells:
        for text in texts(cell):
            error = re.search(r'^error: .*', text, flags=re.M)
            if error:
                return pictures, error.group(0)
    return pictures, None


def main():
    failed = False
    for name in sys.argv[1:]:
        pictures, error = run(pathlib.Path(name).resolve())
        print(f'{pathlib.Path(name).stem}: {pictures} pictures, {error or "good"}')
        failed |= error is not None
    return failed


if __name__ == '__main__':
    sys.exit(main())

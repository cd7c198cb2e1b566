function entries = gpt2_catalog ()
% Models that gpt2_download knows.  Fields of the struct array:
%   name        as the user types it
%   title       as it is printed
%   repository  on the Hugging Face hub
%   revision    the commit that is downloaded
%   files       n-by-3 cell: file name, bytes, SHA-256 (lower case hex).  NaN and '' where the
%               server's headers say what to expect (its x-linked-size and x-linked-etag).

  persistent known;
  if (~isempty (known))
    entries = known;
    return;
  end
  names = {
    'gpt2',        'GPT-2',        'openai-community/gpt2'
    'gpt2-medium', 'GPT-2 medium', 'openai-community/gpt2-medium'
    'gpt2-large',  'GPT-2 large',  'openai-community/gpt2-large'
    'gpt2-xl',     'GPT-2 XL',     'openai-community/gpt2-xl'
    'distilgpt2',  'DistilGPT-2',  'distilbert/distilgpt2'};
  revisions = {
    '607a30d783dfa663caf39e06633721c8d4cfcd7e'
    '6dcaa7a952f72f9298047fd5137cd6e4f05f41da'
    '32b71b12589c2f8d625668d2335a01cac3249519'
    '15ea56dee5df4983c59b2538573817e1667135e2'
    '2290a62682d06624634c1f46a6ad5be0f47f38aa'};
  unpinned = {
    'config.json',       NaN, ''
    'vocab.json',        NaN, ''
    'merges.txt',        NaN, ''
    'model.safetensors', NaN, ''};

  entries = struct ('name', names(:,1), 'title', names(:,2), 'repository', names(:,3), ...
                    'revision', revisions);
  [entries.files] = deal (unpinned);
  entries(1).files(:,2:3) = {
    665,       '0daed7749b4f02b8f76240d5444551d7b08712dab4d0adb8239c56ba823bb7b4'
    1042301,   '196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783'
    456318,    '1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5'
    548105171, '248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707'};
  entries(5).files([1 4],2:3) = {
    762,       '4ec5947c1d59fee6212cdf3b0ec1a53eac02092554c5ff0a733488cbd2c64f3a'
    352824413, 'e1ff18884359fe8beb795a5f414feb85a6ce3d929ad019c0d958c039d2b94a1b'};
  known = entries;
end

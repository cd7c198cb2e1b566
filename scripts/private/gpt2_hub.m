function folder = gpt2_hub ()
% Folder of the Hugging Face cache, found as huggingface_hub finds it: HF_HUB_CACHE, else
% HF_HOME/hub, else XDG_CACHE_HOME/huggingface/hub, else ~/.cache/huggingface/hub.

  folder = getenv ('HF_HUB_CACHE');
  if (isempty (folder))
    home = getenv ('HF_HOME');
    if (isempty (home))
      cache = getenv ('XDG_CACHE_HOME');
      if (isempty (cache))
        cache = fullfile ('~', '.cache');
      end
      home = fullfile (cache, 'huggingface');
    end
    folder = fullfile (home, 'hub');
  end
  folder = tilde_expand (folder);
end

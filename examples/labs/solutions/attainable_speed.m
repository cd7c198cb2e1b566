% speed = attainable_speed (intensity, peak, bandwidth): the roofline (Williams, Waterman and
% Patterson 2009), in operations a second.  INTENSITY: operations for each byte from memory, an
% array; PEAK: operations a second; BANDWIDTH: bytes a second.

function speed = attainable_speed (intensity, peak, bandwidth)
  speed = min (peak, intensity * bandwidth);
end

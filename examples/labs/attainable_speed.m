% speed = attainable_speed (intensity, peak, bandwidth): the roofline, in operations a second.
% INTENSITY: operations for each byte from memory, an array; PEAK: operations a second; BANDWIDTH:
% bytes a second.  Lab 4: to be completed.

function speed = attainable_speed (intensity, peak, bandwidth)
  speed = peak * ones (size (intensity));
end

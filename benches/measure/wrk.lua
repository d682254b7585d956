-- wrk -s wrk.lua URL -- FILE
-- FILE contains requests, each followed by an empty line: a path, then header
-- fields, one per line. Several requests are sent in turn. The figures are printed
-- as one line of JSON after "figures: ".

local turn, requests = 0, {}

local function parse(text)
  local path, headers = nil, {}
  for line in text:gmatch("[^\n]+") do
    local name, value = line:match("^([%w-]+): (.*)$")
    if name then headers[name] = value else path = path or line end
  end
  return path, headers
end

function init(arguments)
  local file = assert(io.open(arguments[1]))
  for text in file:read("*a"):gmatch("(.-)\n\n") do
    local path, headers = parse(text)
    headers["Host"] = wrk.headers["Host"]
    requests[#requests + 1] = wrk.format("GET", path, headers)
    wrk.path, wrk.headers = path, headers
  end
  file:close()
  -- wrk sends a single request without calling Lua.
  if #requests > 1 then
    request = function()
      turn = turn % #requests + 1
      return requests[turn]
    end
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'figures: {"requests":%d,"microseconds":%d,"bytes":%d,"failed":%d,"errors":%d,' ..
    '"p50":%d,"p99":%d,"p999":%d}\n',
    summary.requests, summary.duration, summary.bytes,
    errors.connect + errors.read + errors.write + errors.timeout, errors.status,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9)))
end

-- Imitates browsers for wrk: wrk -s browsers.lua URL -- FILE
--
-- Each line of FILE is a request: path, address of the client, cookie, and entity tag, separated
-- by tabs. Each of wrk's connections sends them in random order, with pauses as people make them.
-- At the end, one line of numbers is printed.

local requests = {}
answers, errors, unfinished = 0, 0, 0
samples = ""

function init(arguments)
    math.randomseed(20261126)
    for line in io.lines(arguments[1]) do
        local path, client, cookie, tag = line:match("^(.-)\t(.-)\t(.-)\t(.-)$")
        local fields = {["X-Forwarded-For"] = client, ["Accept"] = "text/html"}
        if cookie ~= "" then fields["Cookie"] = cookie end
        if tag ~= "" then fields["If-None-Match"] = tag end
        fields["Host"] = wrk.headers["Host"]
        requests[#requests + 1] = wrk.format("GET", path, fields)
    end
end

function request()
    return requests[math.random(#requests)]
end

-- The pause before the next request of a connection, in milliseconds.
function delay()
    return math.random(100, 300)
end

function response(status, fields, body)
    answers = answers + 1
    if status ~= 200 and status ~= 304 then
        errors = errors + 1
        if #samples < 300 then samples = samples .. status .. " " end
    elseif status == 200 and (fields["Content-Type"] or ""):find("text/html", 1, true)
        and not body:find("</html>%s*$") then
        unfinished = unfinished + 1
    end
end

local threads = {}

function setup(thread)
    threads[#threads + 1] = thread
end

function done(summary, latency)
    local sum = {answers = 0, errors = 0, unfinished = 0}
    local seen = ""
    for _, thread in ipairs(threads) do
        for name in pairs(sum) do sum[name] = sum[name] + thread:get(name) end
        seen = seen .. thread:get("samples")
    end
    print(string.format(
        'summary {"answers": %d, "errors": %d, "unfinished": %d, "connect": %d, "read": %d, '
            .. '"write": %d, "timeout": %d, "median_ms": %.2f, "p99_ms": %.2f, "samples": "%s"}',
        sum.answers, sum.errors, sum.unfinished, summary.errors.connect, summary.errors.read,
        summary.errors.write, summary.errors.timeout, latency:percentile(50) / 1000,
        latency:percentile(99) / 1000, seen))
end

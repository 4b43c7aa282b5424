-- wrk: one streamed turn a request, each on a thread of its own.
wrk.method = "POST"
wrk.path = "/api/aviation-agent/chat/stream"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"messages":[{"role":"user","content":"Find airports between EGTF and LFMD"}]}'

local bad = 0
function response(status) if status ~= 200 then bad = bad + 1 end end
function done(summary)
	local ok = summary.requests - summary.errors.status
	local e = summary.errors
	print(string.format("RESULT %d %d %.3f", ok, e.status + e.read + e.timeout + e.connect, summary.duration / 1e6))
end

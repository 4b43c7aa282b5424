/*
 * The scripts by which a thread changes in Redis; store_redis.c calls them and says what the keys hold. Each
 * is one step that nobody sees half done, and gives the same result if it is sent twice.
 */
#include "services/store_redis.h"

/* KEYS begins with meta, msgs, lease, the run's record, the list of the thread's runs that have a log and
 * the session, and ends with queue. Scripts answer with a word, sometimes with more. */
#define LUA_TOUCH                                                                     \
	"local function touch(ms, ttl)\n"                                             \
	"  if redis.call('HEXISTS', KEYS[1], 'ver') == 0 then\n"                      \
	"    redis.call('PEXPIRE', KEYS[1], 2 * ms + 60000)\n"                        \
	"  elseif ttl > 0 then\n"                                                     \
	"    redis.call('PEXPIRE', KEYS[1], math.max(ttl, 2 * ms))\n"                 \
	"    redis.call('PEXPIRE', KEYS[2], math.max(ttl, 2 * ms))\n"                 \
	"  else\n"                                                                    \
	"    redis.call('PERSIST', KEYS[1])\n"                                        \
	"    redis.call('PERSIST', KEYS[2])\n"                                        \
	"  end\n"                                                                     \
	"end\n"

/* The runs of the queue that have not lost their places: calls each(run, until, value, index) with the
 * index in the list. */
#define LUA_QUEUE                                                                     \
	"local queue = KEYS[#KEYS]\n"                                                 \
	"local clock = redis.call('TIME')\n"                                          \
	"local now = clock[1] * 1000 + math.floor(clock[2] / 1000)\n"                 \
	"local function waiting(longest, each)\n"                                     \
	"  local n = 0\n"                                                             \
	"  for _, v in ipairs(redis.call('LRANGE', queue, 0, -1)) do\n"               \
	"    local run, till = string.match(v, '^(.*):(%d+)$')\n"                     \
	"    till = tonumber(till or 0)\n"                                            \
	"    if till <= now or till > now + longest then\n"                           \
	"      redis.call('LREM', queue, 1, v)\n"                                     \
	"    else\n"                                                                  \
	"      each(run, till, v, n)\n"                                               \
	"      n = n + 1\n"                                                           \
	"    end\n"                                                                   \
	"  end\n"                                                                     \
	"  return n\n"                                                                \
	"end\n"

/* Has somebody else ended the run? A lease without a record has no such key. */
#define LUA_ENDED                                                                     \
	"local function ended()\n"                                                    \
	"  local status = redis.call('HGET', KEYS[4], 'status')\n"                    \
	"  return status and status ~= 'running' and status ~= 'queued'\n"            \
	"end\n"

/* Write the record of a run that begins or waits, or has taken its lease again; `at` is the first of its arguments: thread session worker
 * started logged alive_ms run_ttl_ms. */
#define LUA_RECORD                                                                    \
	"local function record(at, status, fence, alive)\n"                           \
	"  local was = redis.call('HGET', KEYS[4], 'status')\n"                       \
	"  if was == 'running' then\n"                                                \
	"    redis.call('HSET', KEYS[4], 'fence', fence, 'until', now + alive)\n"     \
	"    return\n"                                                                \
	"  end\n"                                                                     \
	"  redis.call('HSET', KEYS[4], 'thread', ARGV[at], 'user', ARGV[4], 'agent', ARGV[5],\n" \
	"    'session', ARGV[at + 1], 'worker', ARGV[at + 2], 'started', ARGV[at + 3],\n" \
	"    'logged', ARGV[at + 4], 'fence', fence, 'status', status, 'until', now + alive)\n" \
	"  local kept = math.max(2 * ARGV[at + 6], 2 * ARGV[1] + 60000)\n"            \
	"  redis.call('PEXPIRE', KEYS[4], kept)\n"                                    \
	"  if not was and ARGV[at + 4] == '1' then\n"                                 \
	"    redis.call('LPUSH', KEYS[5], ARGV[3])\n"                                 \
	"    redis.call('LTRIM', KEYS[5], 0, 99)\n"                                   \
	"    redis.call('PEXPIRE', KEYS[5], kept)\n"                                  \
	"  end\n"                                                                     \
	"end\n"

/* The run that had the thread before, if it is overdue. Its record lies in the thread's slot (run_id.c), unless
 * the store became a cluster since: then it cannot be read here. */
#define LUA_DEAD                                                                      \
	"local function dead(run)\n"                                                  \
	"  local last = redis.call('HGET', KEYS[1], 'holder')\n"                      \
	"  if not last or last == run then return '' end\n"                           \
	"  local m = redis.pcall('HMGET', 'aa:{' .. last .. '}:run', 'status', 'until')\n" \
	"  return m[1] == 'running' and tonumber(m[2]) < now and last or ''\n"        \
	"end\n"

/* ARGV: lease_ms ttl_ms run user agent default_agent queue_max hold_ms longest_hold_ms record…
 * ok: the fence, and the run that died with the thread
 * busy: the holder, how long it has had the lease, when it loses it, the place in the queue */
const char LUA_LEASE[] = LUA_TOUCH LUA_FOREIGN LUA_QUEUE LUA_ENDED LUA_RECORD LUA_DEAD
	"local wrong = foreign(ARGV[4], ARGV[5], ARGV[6])\n"
	"if wrong then return {wrong} end\n"
	"if ARGV[10] and ended() then return {'ended'} end\n"
	"local held, holder, fence = redis.call('GET', KEYS[3]), nil, nil\n"
	"if held then holder, fence = string.match(held, '^(.*):(%d+)$') end\n"
	"local before, mine, first, first_till = 0, nil, nil, nil\n"
	"local n = waiting(tonumber(ARGV[9]), function(run, till, v, i)\n"
	"  if run == ARGV[3] then mine = {v, i}\n"
	"  elseif not mine then before = before + 1 end\n"
	"  if not first then first, first_till = run, till end\n"
	"end)\n"
	"if holder ~= ARGV[3] and (held or before > 0) then\n"
	"  local most, place = tonumber(ARGV[7]), -1\n"
	"  if most > 0 and (mine or n < most) then\n"
	"    local v = ARGV[3] .. ':' .. now + tonumber(ARGV[8])\n"
	"    if mine then redis.call('LSET', queue, mine[2], v)\n"
	"    else redis.call('RPUSH', queue, v) end\n"
	"    redis.call('PEXPIRE', queue, math.max(redis.call('PTTL', queue), tonumber(ARGV[8])))\n"
	"    place = before\n"
	"    if ARGV[10] then record(10, 'queued', 0, ARGV[8]) end\n"
	"  end\n"
	"  if not held then return {'busy', first, -1, first_till - now, place} end\n"
	"  local since = tonumber(redis.call('HGET', KEYS[1], 'since') or now + 1)\n"
	"  return {'busy', holder, math.max(now - since, -1), redis.call('PTTL', KEYS[3]), place}\n"
	"end\n"
	"if mine then redis.call('LREM', queue, 1, mine[1]) end\n"
	"local lost = ''\n"
	"if not held then\n"
	"  if ARGV[10] then lost = dead(ARGV[3]) end\n"
	"  fence = redis.call('HINCRBY', KEYS[1], 'fence', 1)\n"
	"  redis.call('HSET', KEYS[1], 'since', now, 'holder', ARGV[3], 'dead', lost)\n"
	"elseif ARGV[10] then\n"
	"  lost = redis.call('HGET', KEYS[1], 'dead') or ''\n"
	"end\n"
	"redis.call('SET', KEYS[3], ARGV[3] .. ':' .. fence, 'PX', ARGV[1])\n"
	"touch(tonumber(ARGV[1]), tonumber(ARGV[2]))\n"
	"if ARGV[10] then record(10, 'running', fence, ARGV[15]) end\n"
	"return {'ok', tonumber(fence), lost}\n";

/* ARGV: run longest_hold_ms */
const char LUA_LEAVE[] = LUA_QUEUE
	"waiting(tonumber(ARGV[2]), function(run, till, v)\n"
	"  if run == ARGV[1] then redis.call('LREM', queue, 1, v) end\n"
	"end)\n"
	"return {'ok'}\n";

/* ARGV: lease_ms ttl_ms held, and if the lease has a record: alive_ms run_ttl_ms
 * ok: has somebody asked the run to stop? */
const char LUA_RENEW[] = LUA_TOUCH LUA_NOW
	"if redis.call('GET', KEYS[3]) ~= ARGV[3] then return {'lost'} end\n"
	"redis.call('PEXPIRE', KEYS[3], ARGV[1])\n"
	"touch(tonumber(ARGV[1]), tonumber(ARGV[2]))\n"
	"if not ARGV[4] then return {'ok', 0} end\n"
	"local m = redis.call('HMGET', KEYS[4], 'status', 'cancel')\n"
	"if m[1] == 'running' then\n"
	"  redis.call('HSET', KEYS[4], 'until', now() + ARGV[4])\n"
	"  redis.call('PEXPIRE', KEYS[4], math.max(2 * ARGV[5], 2 * ARGV[1] + 60000))\n"
	"end\n"
	"return {'ok', m[2] and 1 or 0}\n";

/* ARGV: held */
const char LUA_RELEASE[] =
	"if redis.call('GET', KEYS[3]) == ARGV[1] then redis.call('DEL', KEYS[3]) end\n"
	"return {'ok'}\n";

/* ARGV: lease_ms ttl_ms run held version user agent default_agent ceiling skipped has_state state
 * last run_ttl_ms has_end end… title origin session_key has_session session… message…
 * The session's first two arguments, persona and time, are the thread's too. */
const char LUA_COMMIT[] = LUA_TOUCH LUA_FOREIGN LUA_SETTLE LUA_SESSION LUA_ENDED
	"local held = redis.call('GET', KEYS[3]) == ARGV[4]\n"
	"local function done()\n"
	"  if held and ARGV[13] == '1' then redis.call('DEL', KEYS[3]) end\n"
	"  if ARGV[15] == '1' and redis.call('HGET', KEYS[4], 'status') == 'running' then\n"
	"    settle(KEYS[4], 16, 2 * ARGV[14])\n"
	"  end\n"
	"  return {'ok'}\n"
	"end\n"
	"local m = redis.call('HMGET', KEYS[1], 'ver', 'run', 'bytes', 'gone')\n"
	"local ver, expected = tonumber(m[1] or 0), tonumber(ARGV[5])\n"
	"if m[2] == ARGV[3] and ver == expected + 1 then return done() end\n"
	"if ended() then return {'ended'} end\n"
	"if not held then return {'lost'} end\n"
	"local wrong = foreign(ARGV[6], ARGV[7], ARGV[8])\n"
	"if wrong then return {wrong} end\n"
	"if ver ~= expected then return {'moved', ver} end\n"
	"local bytes, gone = tonumber(m[3]), tonumber(m[4] or 0)\n"
	"local ceiling, skipped, more = tonumber(ARGV[9]), tonumber(ARGV[10]), 0\n"
	"if ver > 0 and (bytes or 0) > 0 and redis.call('EXISTS', KEYS[2]) == 0 then\n"
	"  bytes = 0\n"
	"  redis.call('HDEL', KEYS[1], 'state')\n"
	"end\n"
	"if ver == 0 then\n"
	"  redis.call('DEL', KEYS[2])\n"
	"  bytes = 0\n"
	"  redis.call('HSET', KEYS[1], 'form', " FORM ")\n"
	"  if ARGV[6] ~= '' then redis.call('HSET', KEYS[1], 'owner', ARGV[6]) end\n"
	"  if ARGV[7] ~= '' then redis.call('HSET', KEYS[1], 'agent', ARGV[7]) end\n"
	"  redis.call('HSET', KEYS[1], 'title', ARGV[22], 'created', ARGV[27])\n"
	"  if ARGV[23] ~= '' then redis.call('HSET', KEYS[1], 'origin', ARGV[23]) end\n"
	"elseif not bytes then\n"
	"  bytes = 0\n"
	"  for _, v in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do bytes = bytes + #v end\n"
	"end\n"
	"if skipped > 0 then\n"
	"  gone = gone + redis.call('LLEN', KEYS[2]) + skipped\n"
	"  redis.call('DEL', KEYS[2])\n"
	"  bytes = 0\n"
	"end\n"
	"for i = 32, #ARGV do more = more + #ARGV[i] end\n"
	"while ceiling > 0 and more > 0 and bytes + more > ceiling do\n"
	"  local v = redis.call('LPOP', KEYS[2])\n"
	"  if not v then bytes = 0 break end\n"
	"  bytes, gone = bytes - #v, gone + 1\n"
	"end\n"
	"for i = 32, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[i]) end\n"
	"redis.call('HSET', KEYS[1], 'ver', ver + 1, 'run', ARGV[3], 'bytes', bytes + more,\n"
	"  'gone', gone, 'persona', ARGV[26], 'updated', ARGV[27], 'session', ARGV[24])\n"
	"if ARGV[25] == '1' then session(KEYS[6], 26, tonumber(ARGV[2])) end\n"
	"if ARGV[11] == '1' then redis.call('HSET', KEYS[1], 'state', ARGV[12]) end\n"
	"touch(tonumber(ARGV[1]), tonumber(ARGV[2]))\n"
	"return done()\n";

/* The keys of the thread's runs that have a log lie in its slot too (run_id.c).
 * ARGV of an owner: user agent default_agent. ok: the key of its session */
const char LUA_FORGET[] = LUA_FOREIGN
	"local m = redis.pcall('HMGET', KEYS[1], 'ver', 'session')\n"
	"if m.err then m = {} end\n"           /* something else: an operator may delete it */
	"if ARGV[1] then\n"
	"  if not m[1] then return {'unknown'} end\n"
	"  local wrong = foreign(ARGV[1], ARGV[2], ARGV[3])\n"
	"  if wrong then return {wrong} end\n"
	"  if redis.call('EXISTS', KEYS[3]) == 1 then return {'busy', redis.call('PTTL', KEYS[3])} end\n"
	"end\n"
	"for _, run in ipairs(redis.call('LRANGE', KEYS[5], 0, -1)) do\n"
	"  redis.call('DEL', 'aa:{' .. run .. '}:run', 'aa:{' .. run .. '}:log')\n"
	"end\n"
	"redis.call('DEL', unpack(KEYS))\n"
	"return {'ok', m[2] or ''}\n";

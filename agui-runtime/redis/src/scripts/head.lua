-- Returns the head of a log.
local head = redis.call('HMGET', KEYS[1], 'epoch', 'seq', 'first', 'note', 'lease_ends')
if not head[1] then return {} end
if not head[5] then return { head[1], head[2], head[3], head[4] } end
local time = redis.call('TIME')
local left = head[5] - (time[1] * 1000 + math.floor(time[2] / 1000))
return { head[1], head[2], head[3], head[4], string.format('%.0f', math.max(left, 0)) }

# Functions that find and end the processes of one site. Sourced by bash, never run.
# Expects $run, the folder of the pid files.
#
# Each process has a pid file, and a process group of the same number, which holds its children
# too. Pids are used again and pid files outlive a reboot, so a process counts only if its command
# line or its working folder names $run.

ours() { # pid
	{ tr '\0' ' ' <"/proc/$1/cmdline"; } 2>/dev/null | grep -qF -- "$run/" ||
		[ "$(readlink "/proc/$1/cwd" 2>/dev/null)" = "$run" ]
}

group() { # pid of the group's first process → the pids of the group that run and are ours
	local file line rest pid
	case $1 in '' | *[!0-9]*) return 1 ;; esac
	for file in /proc/[0-9]*/stat; do
		{ read -r line <"$file"; } 2>/dev/null || continue
		pid=${file#/proc/} pid=${pid%/stat}
		read -r -a rest <<<"${line##*) }"            # state, parent, group, …
		[ "${rest[2]}" = "$1" ] && [ "${rest[0]}" != Z ] && ours "$pid" && printf '%s ' "$pid"
	done
}

running() { # name → its pids
	local pid
	pid=$(cat "$run/$1.pid" 2>/dev/null) && group "$pid"
}

end() { # name, seconds to wait: SIGTERM, then SIGKILL if it still runs
	local first pids i
	first=$(cat "$run/$1.pid" 2>/dev/null)
	pids=$(running "$1")
	case " $pids" in
	' ') rm -f "$run/$1.pid"; return 0 ;;
	*" $first "*) kill -TERM "$first" 2>/dev/null ;;    # the first process ends its children
	*) kill -TERM $pids 2>/dev/null ;;
	esac
	for ((i = 0; i < $2 * 10; i++)); do
		pids=$(running "$1")
		[ -n "$pids" ] || break
		sleep 0.1
	done
	if [ -n "$pids" ]; then
		warn "$1 did not end in $2 seconds: killed"
		kill -KILL $pids 2>/dev/null
	fi
	rm -f "$run/$1.pid"
}

# Workers end first: they finish their turns while nginx still passes the answers on.
end_services() {
	local f names=''
	for f in "$run"/worker-*.pid; do
		[ -e "$f" ] || continue
		f=${f##*/}
		end "${f%.pid}" 15 &
		names="$names $!"
	done
	# shellcheck disable=SC2086
	[ -z "$names" ] || wait $names
	end nginx 5
	end redis 10
}

# The supervisor ends first, because it would start the others again. It ends the other processes.
# Processes that are left, for example because the supervisor was killed, are ended here.
stop_all() { # sets $stopped to how many there were
	local f
	stopped=0
	for f in "$run"/*.pid; do
		[ -e "$f" ] || continue
		f=${f##*/}
		[ -z "$(running "${f%.pid}")" ] || stopped=$((stopped + 1))
	done
	end supervisor 40
	end_services
	rm -f "$run"/*.sock "$run"/*.sock.[0-9]* "$run/services"
}

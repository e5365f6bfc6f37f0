# Sourced by run.sh: builds the guest's initramfs, one for each kernel: busybox,
# the modules below with what they need, chronotap and the performer with their
# libraries, and guest/. A scenario comes as a second, small archive behind it.

modules=(
    virtio_pci virtio_blk ext4 crc32c_generic crc32c-intel
    snd-virmidi snd-aloop snd-seq snd-seq-midi snd-hrtimer
    libcomposite dummy_hcd usb_f_midi snd-usb-audio usb_f_acm cdc-acm ftdi_sio
    parport_pc ppdev pps_parport
    xhci-pci vhci-hcd
    uinput evdev
)
tools=(aconnect amidi arecord aseqdump setcap chrt jackd jack_lsp)

# build_image KERNEL: writes $work/KERNEL.cpio and $work/KERNEL.kernel.
build_image() {
    local kernel=$1 root=$work/root-$1
    fetch_kernel "$kernel"
    rm -rf "$root"
    mkdir -p "$root"/{bin,sbin,etc,lib,lib64,proc,sys,dev,tmp,run,usr/bin,usr/share,results,lab}
    local busybox
    busybox=$(guests busybox) || exit 2
    cp "$busybox" "$root/bin/busybox"
    add_loader "$root"
    cp "$lab"/guest/* "$root/lab/"
    cp "$lab/guest/init" "$root/init"
    cp -r "$tools_tree/usr/share/alsa" "$root/usr/share/"
    add_program "$root" "$chronotap" chronotap
    add_program "$root" "$programs/lab-performer" performer
    add_program "$root" "$programs/compare" compare
    add_program "$root" "$programs/usb_card" usb_card
    add_program "$root" "$programs/keys_witness" keys_witness
    add_program "$root" "$programs/codes" codes
    add_program "$root" "$programs/line_end" line_end
    add_program "$root" "$programs/follow" follow
    local tool
    for tool in "${tools[@]}"; do add_tool "$root" "$tool"; done
    add_jack "$root"
    add_modules "$root"
    unpack_kernel "$kernel_tree/boot/vmlinuz-$kernel_version" "$work/$kernel.kernel"
    (cd "$root" && find . | cpio --quiet -o -H newc) >"$work/$kernel.cpio"
}

# unpack_kernel FROM TO: a kernel for a PC as the code at its head would unpack it, which qemu starts by the entry for
# Xen's PVH (Documentation/arch/x86/boot.rst: setup_sects, payload_offset, payload_length). Unpacking it in the guest
# takes more than half of what a boot costs the host. What begins otherwise is taken as it is.
unpack_kernel() {
    local sectors offset length tool
    sectors=$(od -An -t u1 -j 497 -N 1 "$1")
    read -r offset length < <(od -An -t u4 -j 584 -N 8 "$1")
    for tool in xz zstd; do
        [ "$machine" = amd64 ] && command -v $tool >/dev/null || continue
        tail -c +$(((sectors + 1) * 512 + offset + 1)) "$1" | head -c "$length" | $tool -dc >"$2" 2>>"$log"
        [ "$(head -c 4 "$2" | tail -c 3)" = ELF ] && return
    done
    say "the kernel ${1##*/} is unpacked by the guest"
    cp "$1" "$2"
}

add_tool() {
    local path
    path=$(guests "$2") || exit 2
    add_program "$1" "$path" "$2"
}

# guests PROGRAM: where it is, for the guest's processor.
guests() {
    local path
    for path in "$tools_tree"/{usr/bin,usr/sbin,sbin,bin}/"$1" "$([ -n "$foreign" ] || command -v "$1")"; do
        [ -x "$path" ] && { echo "$path"; return; }
    done
    give_up "the tool $1 is missing; it was expected in the packages ${guest_packages[*]}"
}

# JACK's driver and the library that clients load, neither of which ldd sees.
add_jack() {
    local from=$tools_tree/usr/lib/$triple into=$1/usr/lib/$triple/jack
    mkdir -p "$into"
    cp "$from/jack/jack_dummy.so" "$into/"
    cp -L "$from/libjack.so.0" "$1/lib/"
    add_libraries "$1" "$from/jack/jack_dummy.so"
    add_libraries "$1" "$from/libjack.so.0"
}

# add_program ROOT FILE NAME: with its libraries, without what only linkers and debuggers read, which
# is four fifths of our own programs: the guest's memory has to hold all files.
add_program() {
    "${foreign:+$triple-}strip" --strip-all -o "$1/bin/$3" "$2"
    add_libraries "$1" "$2"
}

# add_libraries ROOT FILE: those that it names, and those that they do. `ldd` would run the file, which another processor
# cannot.
add_libraries() {
    local root=$1 library path
    for library in $(readelf -d "$2" 2>/dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
        [[ $library != ld-linux* ]] && [ ! -e "$root/lib/$library" ] || continue
        path=$(find_library "$library") || { echo "no $library for $2" >>"$log"; continue; }
        cp -L "$path" "$root/lib/$library"
        add_libraries "$root" "$path"
    done
}

find_library() {
    local folder
    for folder in {"$tools_tree",}/{usr/lib,lib}/"$triple"; do
        [ -e "$folder/$1" ] && { echo "$folder/$1"; return; }
    done
    return 1
}

# The program that loads programs with their libraries, where they look for it.
add_loader() {
    case $machine in
    amd64) cp -L "$(find_library ld-linux-x86-64.so.2)" "$1/lib64/" ;;
    arm64) cp -L "$(find_library ld-linux-aarch64.so.1)" "$1/lib/" ;;
    esac
}

# The modules and all they need, by modules.dep, which the package leaves us to make.
add_modules() {
    local tree=$kernel_tree/lib/modules/$kernel_version into=$1/lib/modules/$kernel_version
    [ -s "$tree/modules.dep" ] || (cd "$tree" && busybox depmod -b "$kernel_tree" "$kernel_version") ||
        give_up "depmod failed in $tree"
    mkdir -p "$into"
    local file
    modules_needed "$tree" | sort -u | while read -r file; do
        mkdir -p "$into/$(dirname "$file")"
        cp "$tree/$file" "$into/$file"
        case $file in *.xz) xz -d "$into/$file" ;; esac
    done
    cp "$tree"/modules.builtin "$into/"
    busybox depmod -b "$1" "$kernel_version"
}

modules_needed() {
    awk -v wanted="${modules[*]}" '
        BEGIN { FS = "[: ]+"; n = split(wanted, list, " "); for (i = 1; i <= n; i++) { gsub("-", "_", list[i]); want[list[i]] } }
        { name = $1; sub(/.*\//, "", name); sub(/\.ko.*/, "", name); gsub("-", "_", name); needs[$1] = $0; if (name in want) print_all($1) }
        function print_all(path) { seen[path] }
        END { for (again = 1; again;) { again = 0; for (path in seen) { n = split(needs[path], part, FS); for (i = 1; i <= n; i++) if (part[i] != "" && !(part[i] in seen)) { seen[part[i]]; again = 1 } } }
              for (path in seen) print path }' "$1/modules.dep"
}

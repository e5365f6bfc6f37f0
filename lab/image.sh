# Sourced by run.sh: builds the guest's initramfs, one for each kernel: busybox,
# the modules below with what they need, chronotap and the performer with their
# libraries, and guest/. A scenario comes as a second, small archive behind it.

modules=(
    virtio_pci virtio_blk ext4 crc32c_generic crc32c-intel
    snd-virmidi snd-aloop snd-seq snd-seq-midi snd-hrtimer
    libcomposite dummy_hcd usb_f_midi snd-usb-audio usb_f_acm cdc-acm
    parport_pc ppdev
    xhci-pci vhci-hcd
    uinput evdev
)
tools=(aconnect amidi arecord aseqdump setcap chrt jackd jack_lsp)

# build_image KERNEL: writes $work/KERNEL.cpio and $work/KERNEL.vmlinuz.
build_image() {
    local kernel=$1 root=$work/root-$1
    fetch_kernel "$kernel"
    rm -rf "$root"
    mkdir -p "$root"/{bin,sbin,etc,lib,lib64,proc,sys,dev,tmp,run,usr/bin,usr/share,results,lab}
    cp "$(command -v busybox)" "$root/bin/busybox"
    cp "$lab"/guest/* "$root/lab/"
    cp "$lab/guest/init" "$root/init"
    cp -r "$cache/tools/usr/share/alsa" "$root/usr/share/"
    add_program "$root" "$chronotap" chronotap
    add_program "$root" "$target/release/lab-performer" performer
    add_program "$root" "$target/release/compare" compare
    add_program "$root" "$target/release/usb_card" usb_card
    add_program "$root" "$target/release/keys_witness" keys_witness
    add_program "$root" "$target/release/codes" codes
    local tool
    for tool in "${tools[@]}"; do add_tool "$root" "$tool"; done
    add_jack "$root"
    add_modules "$root"
    cp "$kernel_tree/boot/vmlinuz-$kernel_version" "$work/$kernel.vmlinuz"
    (cd "$root" && find . | cpio --quiet -o -H newc) >"$work/$kernel.cpio"
}

add_tool() {
    local path
    for path in "$cache"/tools/{usr/bin,usr/sbin,sbin,bin}/"$2" "$(command -v "$2")"; do
        [ -x "$path" ] && { add_program "$1" "$path" "$2"; return; }
    done
    give_up "the tool $2 is missing; it was expected in the packages ${guest_packages[*]}"
}

# JACK's driver and the library that clients load, neither of which ldd sees.
add_jack() {
    local from=$cache/tools/usr/lib/x86_64-linux-gnu into=$1/usr/lib/x86_64-linux-gnu/jack
    mkdir -p "$into"
    cp "$from/jack/jack_dummy.so" "$into/"
    cp -L "$from/libjack.so.0" "$1/lib/"
    add_libraries "$1" "$from/jack/jack_dummy.so"
    add_libraries "$1" "$from/libjack.so.0"
}

# add_program ROOT FILE NAME: with its libraries, without what only debuggers read, which
# is four fifths of our own programs: the guest's memory has to hold all files.
add_program() {
    strip --strip-debug -o "$1/bin/$3" "$2"
    add_libraries "$1" "$2"
}

# add_libraries ROOT FILE: those that ldd finds.
add_libraries() {
    local root=$1 library libraries=$cache/tools/usr/lib/x86_64-linux-gnu:$cache/tools/lib/x86_64-linux-gnu
    LD_LIBRARY_PATH=$libraries ldd "$2" 2>/dev/null |
        awk '$3 ~ /^\// { print $3 } $1 ~ /^\// { print $1 }' |
        while read -r library; do
            case $library in
            */ld-linux*) cp -L "$library" "$root/lib64/" ;;
            *) cp -L "$library" "$root/lib/" ;;
            esac
        done
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

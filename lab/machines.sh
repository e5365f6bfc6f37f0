# Sourced by run.sh: what differs between the machines that the lab can be. `amd64` runs every scenario; `arm64`, a board
# with the processor of a Raspberry Pi 4, runs those whose drivers it has, and only on demand (it needs Debian's packages
# for arm64: dpkg --add-architecture arm64 && apt-get update).

# Without cmpxchg16b (-cx16): after it qemu 7.2 sometimes has the low half of RAX in EFLAGS, in virtual time, and the guest's
# kernel ends with a double fault. Nothing in the guest needs it.
# take_machine amd64|arm64
take_machine() {
    case $1 in
    amd64)
        triple=x86_64-linux-gnu rust_triple=x86_64-unknown-linux-gnu
        emulator=qemu-system-x86_64 emulator_package=qemu-system-x86
        processor=max processor_in_virtual_time=qemu64,-cx16 usual_board=pc console=ttyS0
        suffix="" further_memory=0
        ;;
    arm64)
        triple=aarch64-linux-gnu rust_triple=aarch64-unknown-linux-gnu
        emulator=qemu-system-aarch64 emulator_package=qemu-system-arm
        processor=cortex-a72 processor_in_virtual_time=cortex-a72 usual_board=virt console=ttyAMA0
        suffix=-arm64 further_memory=256 # kernel and modules are larger
        ;;
    *) give_up "there is no machine $1: amd64 and arm64" ;;
    esac
    machine=$1
    [ "$machine" = "$(dpkg --print-architecture)" ] && foreign="" || foreign=:$machine
}

# can_be_had SCENARIO_FILE: whether its head names this machine; one that names none needs a PC's devices.
can_be_had() {
    [[ " $(setting "$1" machines | grep . || echo amd64) " == *" $machine "* ]]
}

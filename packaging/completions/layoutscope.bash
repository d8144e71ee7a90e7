# bash completion for layoutscope. tests/cli/help_test.cpp compares every section with the program's own --help.
_layoutscope() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} path='' word i
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        case "$word" in
        -*) ;;
        *)
            [ -z "$path" ] && path=$word && continue
            [ "$path" = ub ] && path=ub_$word
            if [ "$path" = desc ]; then case "$word" in decode | encode | gemm) path=desc_$word ;; esac; fi
            break
            ;;
        esac
    done
    local options='' words='' files=0
    case "$path" in
    # [top]
    "")
        options="--version -h --help"
        words="show map convert desc passes export l0 memory render ub conformance gui"
        ;;
    # [show]
    show)
        options="-f --format -n --elements --filter -h --help"
        files=1
        case "$before" in
        -f | --format) mapfile -t COMPREPLY < <(compgen -W "text json csv" -- "$current"); return ;;
        -n | --elements | --filter) return ;;
        esac
        ;;
    # [map]
    map)
        options="-f --format --find -h --help"
        files=1
        case "$before" in
        -f | --format) mapfile -t COMPREPLY < <(compgen -W "text json" -- "$current"); return ;;
        --find) return ;;
        esac
        ;;
    # [convert]
    convert)
        options="-t --to --json -h --help"
        files=1
        case "$before" in
        -t | --to) mapfile -t COMPREPLY < <(compgen -W "all pypto pto-view named tirx cute tirx-script" -- "$current"); return ;;
        esac
        ;;
    # [desc]
    desc)
        options="-l --layout --shape --dtype --region --mn-major --transposed --address --tile --generation --json -h --help"
        words="decode encode gemm"
        files=1
        case "$before" in
        --generation) mapfile -t COMPREPLY < <(compgen -W "blackwell hopper" -- "$current"); return ;;
        -l | --layout | --shape | --dtype | --region | --address | --tile) return ;;
        esac
        ;;
    # [desc_gemm]
    desc_gemm)
        options="--part --step --svg --png --theme --width --scale --json -h --help"
        files=1
        case "$before" in
        --part) mapfile -t COMPREPLY < <(compgen -W "gmem smem-a smem-b tmem registers matrix-a matrix-b instruction banks-a banks-b" -- "$current"); return ;;
        --theme) mapfile -t COMPREPLY < <(compgen -W "light dark" -- "$current"); return ;;
        --svg | --png) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        --step | --width | --scale) return ;;
        esac
        ;;
    # [desc_decode]
    desc_decode)
        options="-k --kind --major --json -h --help"
        case "$before" in
        -k | --kind) mapfile -t COMPREPLY < <(compgen -W "blackwell-smem hopper-smem instr-f16 instr-tf32 instr-i8 instr-f8f6f4 instr-mxf4 instr-mxf4nvf4 instr-mxf8f6f4" -- "$current"); return ;;
        --major) mapfile -t COMPREPLY < <(compgen -W "k mn" -- "$current"); return ;;
        esac
        ;;
    # [desc_encode]
    desc_encode)
        options="-k --kind --address --ldo --sdo --swizzle -m --rows -n --columns -a --a-type -b --b-type -d --d-type --scale-type --cta-group --a-mn-major --b-mn-major --negate-a --negate-b --saturate --sparse --json -h --help"
        case "$before" in
        -k | --kind) mapfile -t COMPREPLY < <(compgen -W "blackwell-smem hopper-smem instr-f16 instr-tf32 instr-i8 instr-f8f6f4 instr-mxf4 instr-mxf4nvf4 instr-mxf8f6f4" -- "$current"); return ;;
        --swizzle) mapfile -t COMPREPLY < <(compgen -W "none 32B 64B 128B 128B-base32B" -- "$current"); return ;;
        --cta-group) mapfile -t COMPREPLY < <(compgen -W "1 2" -- "$current"); return ;;
        --address | --ldo | --sdo | -m | --rows | -n | --columns | -a | --a-type | -b | --b-type | -d | --d-type | --scale-type) return ;;
        esac
        ;;
    # [passes]
    passes)
        options="--at --diff --follow --against --chain --all --json --chip --ptoas -h --help"
        files=1
        case "$before" in
        --at | --diff | --follow | --ptoas) return ;;
        --against) mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
        --chip) mapfile -t COMPREPLY < <(compgen -W "a2a3 a5" -- "$current"); return ;;
        esac
        ;;
    # [export]
    export)
        options="-t --target -o --output --as-is --function --chip --arch --ptoas -h --help"
        files=1
        case "$before" in
        -t | --target) mapfile -t COMPREPLY < <(compgen -W "pto pto-isa cuda" -- "$current"); return ;;
        -o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        --arch) mapfile -t COMPREPLY < <(compgen -W "sm_100a sm_90a" -- "$current"); return ;;
        --function | --ptoas) return ;;
        --chip) mapfile -t COMPREPLY < <(compgen -W "a2a3 a5" -- "$current"); return ;;
        esac
        ;;
    # [l0]
    l0)
        options="--m --n --k --dtype --acc --chip --nz-store --exact-k --two-accumulators --rows --all --json --csv
            --svg --png --theme --width --scale -h --help"
        case "$before" in
        --dtype) mapfile -t COMPREPLY < <(compgen -W "bf16 fp16 fp32 int8 fp8e4m3 fp8e5m2" -- "$current"); return ;;
        --acc) mapfile -t COMPREPLY < <(compgen -W "fp32 int32" -- "$current"); return ;;
        --chip) mapfile -t COMPREPLY < <(compgen -W "a2a3 a5" -- "$current"); return ;;
        --svg | --png) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        --theme) mapfile -t COMPREPLY < <(compgen -W "light dark" -- "$current"); return ;;
        --m | --n | --k | --rows | --width | --scale) return ;;
        esac
        ;;
    # [memory]
    memory)
        options="--at --function --chip --json --csv --used --svg --png --theme --width --scale -h --help"
        files=1
        case "$before" in
        --at | --function | --width | --scale) return ;;
        --chip) mapfile -t COMPREPLY < <(compgen -W "a2a3 a5" -- "$current"); return ;;
        --svg | --png) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        --theme) mapfile -t COMPREPLY < <(compgen -W "light dark" -- "$current"); return ;;
        esac
        ;;
    # [render]
    render)
        options="-o --output --format --part --color --label --element --axes --fixed --row-bytes --no-swizzle
            --patterns --theme --width --height --scale -h --help"
        files=1
        case "$before" in
        -o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        --format) mapfile -t COMPREPLY < <(compgen -W "svg png pdf" -- "$current"); return ;;
        --part) mapfile -t COMPREPLY < <(compgen -W "both logical physical" -- "$current"); return ;;
        --color) mapfile -t COMPREPLY < <(compgen -W "block offset bank chunk thread register coordinate" -- "$current"); return ;;
        --label) mapfile -t COMPREPLY < <(compgen -W "none coordinate offset address index bank block thread" -- "$current"); return ;;
        --element | --axes | --fixed | --row-bytes | --width | --height | --scale) return ;;
        --theme) mapfile -t COMPREPLY < <(compgen -W "light dark" -- "$current"); return ;;
        esac
        ;;
    # [ub]
    ub)
        options="-h --help"
        words="partition check fit overlay whatif vstep record export work platforms"
        ;;
    # [ub_partition]
    ub_partition)
        options="--set --variant --chip --ub --aiv --batch --rows --hqk --hv --dk --dv --chunk --v-step --blocks
            --share --separate --svg --png --theme --width --scale --json -h --help"
        files=1
        case "$before" in
        --set | --ub | --aiv | --batch | --rows | --hqk | --hv | --dk | --dv | --chunk | --v-step | \
            --blocks | --width | --scale) return ;;
        --theme) mapfile -t COMPREPLY < <(compgen -W "light dark" -- "$current"); return ;;
        --svg | --png) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        --variant) mapfile -t COMPREPLY < <(compgen -W "v1108 v1135" -- "$current"); return ;;
        --chip) mapfile -t COMPREPLY < <(compgen -W "Ascend310P3 910B3" -- "$current"); return ;;
        esac
        ;;
    # [ub_check]
    ub_check)
        options="--set --variant --chip --ub --aiv --batch --rows --hqk --hv --dk --dv --chunk --strict --json -h
            --help"
        files=1
        case "$before" in
        --set | --ub | --aiv | --batch | --rows | --hqk | --hv | --dk | --dv | --chunk) return ;;
        --variant) mapfile -t COMPREPLY < <(compgen -W "v1108 v1135" -- "$current"); return ;;
        --chip) mapfile -t COMPREPLY < <(compgen -W "Ascend310P3 910B3" -- "$current"); return ;;
        esac
        ;;
    # [ub_fit]
    ub_fit)
        options="--set --variant --chip --ub --aiv --batch --rows --hqk --hv --dk --dv --chunk --vary --json -h
            --help"
        files=1
        case "$before" in
        --set | --ub | --aiv | --batch | --rows | --hqk | --hv | --dk | --dv | --chunk | --vary) return ;;
        --variant) mapfile -t COMPREPLY < <(compgen -W "v1108 v1135" -- "$current"); return ;;
        --chip) mapfile -t COMPREPLY < <(compgen -W "Ascend310P3 910B3" -- "$current"); return ;;
        esac
        ;;
    # [ub_overlay]
    ub_overlay)
        options="--set --variant --chip --ub --aiv --batch --rows --hqk --hv --dk --dv --chunk --v-step --tiles
            --write --json -h --help"
        files=1
        case "$before" in
        --set | --ub | --aiv | --batch | --rows | --hqk | --hv | --dk | --dv | --chunk | --v-step | \
            --tiles) return ;;
        --variant) mapfile -t COMPREPLY < <(compgen -W "v1108 v1135" -- "$current"); return ;;
        --chip) mapfile -t COMPREPLY < <(compgen -W "Ascend310P3 910B3" -- "$current"); return ;;
        --write) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        esac
        ;;
    # [ub_whatif]
    ub_whatif)
        options="--variant --chip --ub --aiv --batch --rows --hqk --hv --dk --dv --chunk --json -h --help"
        case "$before" in
        --variant) mapfile -t COMPREPLY < <(compgen -W "v1108 v1135" -- "$current"); return ;;
        --chip) mapfile -t COMPREPLY < <(compgen -W "Ascend310P3 910B3" -- "$current"); return ;;
        --ub | --aiv | --batch | --rows | --hqk | --hv | --dk | --dv | --chunk) return ;;
        esac
        ;;
    # [ub_vstep]
    ub_vstep)
        options="--variant --chip --ub --aiv --batch --rows --hqk --hv --dk --dv --chunk --json -h --help"
        case "$before" in
        --variant) mapfile -t COMPREPLY < <(compgen -W "v1108 v1135" -- "$current"); return ;;
        --chip) mapfile -t COMPREPLY < <(compgen -W "Ascend310P3 910B3" -- "$current"); return ;;
        --ub | --aiv | --batch | --rows | --hqk | --hv | --dk | --dv | --chunk) return ;;
        esac
        ;;
    # [ub_record]
    ub_record)
        options="--decode --scale --gamma --json --variant --chip --ub --aiv --batch --rows --hqk --hv --dk --dv
            --chunk -h --help"
        case "$before" in
        --decode | --scale | --ub | --aiv | --batch | --rows | --hqk | --hv | --dk | --dv | --chunk) return ;;
        --variant) mapfile -t COMPREPLY < <(compgen -W "v1108 v1135" -- "$current"); return ;;
        --chip) mapfile -t COMPREPLY < <(compgen -W "Ascend310P3 910B3" -- "$current"); return ;;
        esac
        ;;
    # [ub_export]
    ub_export)
        options="--set --variant --chip --ub --aiv --batch --rows --hqk --hv --dk --dv --chunk -o --output --name
            --lens --scale --gamma -h --help"
        files=1
        case "$before" in
        --set | --ub | --aiv | --batch | --rows | --hqk | --hv | --dk | --dv | --chunk | --name | --lens \
            | --scale) return ;;
        --variant) mapfile -t COMPREPLY < <(compgen -W "v1108 v1135" -- "$current"); return ;;
        --chip) mapfile -t COMPREPLY < <(compgen -W "Ascend310P3 910B3" -- "$current"); return ;;
        -o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        esac
        ;;
    # [ub_work]
    ub_work)
        options="--lens --heads --cores --tiles --rule --quota --packed-rows --max-cores --chunk --trace --items
            --svg --png --theme --width --scale --json -h --help"
        case "$before" in
        --lens | --heads | --cores | --tiles | --quota | --packed-rows | --max-cores | --chunk | --trace | --width | --scale) return ;;
        --theme) mapfile -t COMPREPLY < <(compgen -W "light dark" -- "$current"); return ;;
        --svg | --png) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        --rule) mapfile -t COMPREPLY < <(compgen -W "source carry-over floor double-call retry-call balanced" -- "$current"); return ;;
        esac
        ;;
    # [ub_platforms]
    ub_platforms)
        options="--json -h --help"
        ;;
    # [conformance]
    conformance)
        options="-v --verbose -h --help"
        files=1
        ;;
    # [gui]
    gui)
        options="-h --help"
        files=1
        ;;
    # [end]
    esac
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    elif [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    elif [ $files -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -o filenames -o bashdefault -F _layoutscope layoutscope

# fish completion for layoutscope. tests/cli/help_test.cpp compares every section with the program's own --help.
complete -c layoutscope -f

function __layoutscope_at
    # The commands typed so far are exactly these.
    set -l typed (commandline -opc)[2..-1]
    set -l path
    for word in $typed
        string match -q -- '-*' $word; or set -a path $word
        test (count $path) -ge (count $argv); and break
    end
    test "$path" = "$argv"
end

function __layoutscope_needs_command
    set -l rest (string match -v -- '-*' (commandline -opc)[2..-1])
    test (count $rest) -eq (count $argv); and test "$rest" = "$argv"
end

# [top]
complete -c layoutscope -n '__layoutscope_needs_command' -a show -d 'Show a layout: other notations, iters, properties, elements'
complete -c layoutscope -n '__layoutscope_needs_command' -a map -d 'Coordinate to address with every term, or an address back'
complete -c layoutscope -n '__layoutscope_needs_command' -a convert -d 'Write a layout in another notation'
complete -c layoutscope -n '__layoutscope_needs_command' -a desc -d 'Descriptors of tensor cores: derive, decode, encode'
complete -c layoutscope -n '__layoutscope_needs_command' -a passes -d 'Run a program through its passes'
complete -c layoutscope -n '__layoutscope_needs_command' -a export -d 'Export kernel source'
complete -c layoutscope -n '__layoutscope_needs_command' -a l0 -d 'Show how the L0 tile of a product is chosen'
complete -c layoutscope -n '__layoutscope_needs_command' -a memory -d 'Show where tiles lie on chip'
complete -c layoutscope -n '__layoutscope_needs_command' -a render -d 'Draw a layout as SVG, PNG or PDF'
complete -c layoutscope -n '__layoutscope_needs_command' -a ub -d 'Unified buffer of Ascend vector kernels'
complete -c layoutscope -n '__layoutscope_needs_command' -a conformance -d 'Run conformance cases and count what passes'
complete -c layoutscope -n '__layoutscope_needs_command' -a gui -d 'Open the desktop program'
complete -c layoutscope -n __layoutscope_needs_command -l version -d 'Print the version'
complete -c layoutscope -n __layoutscope_needs_command -s h -l help -d 'Print help'

# [show]
complete -c layoutscope -n '__layoutscope_at show' -s f -l format -x -a 'text json csv' -d 'Format'
complete -c layoutscope -n '__layoutscope_at show' -s n -l elements -x -d 'List the first N elements'
complete -c layoutscope -n '__layoutscope_at show' -l filter -x -d 'Only elements that meet a condition'
complete -c layoutscope -n '__layoutscope_at show' -s h -l help -d 'Print help'
complete -c layoutscope -n '__layoutscope_at show' -F

# [map]
complete -c layoutscope -n '__layoutscope_at map' -s f -l format -x -a 'text json' -d 'Format'
complete -c layoutscope -n '__layoutscope_at map' -l find -x -d 'Elements by offset or byte address'
complete -c layoutscope -n '__layoutscope_at map' -s h -l help -d 'Print help'
complete -c layoutscope -n '__layoutscope_at map' -F

# [convert]
complete -c layoutscope -n '__layoutscope_at convert' -s t -l to -x -a 'all pypto pto-view named tirx cute tirx-script' -d 'Notation to write'
complete -c layoutscope -n '__layoutscope_at convert' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at convert' -s h -l help -d 'Print help'
complete -c layoutscope -n '__layoutscope_at convert' -F

# [desc]
complete -c layoutscope -n '__layoutscope_needs_command desc' -a decode -d 'Tell a descriptor word field by field'
complete -c layoutscope -n '__layoutscope_needs_command desc' -a encode -d 'Make a descriptor word from its fields'
complete -c layoutscope -n '__layoutscope_needs_command desc' -a gemm -d 'One gemm_async with its words'
complete -c layoutscope -n '__layoutscope_at desc' -s l -l layout -x -d 'Layout of the buffer'
complete -c layoutscope -n '__layoutscope_at desc' -l shape -x -d 'Shape of the buffer'
complete -c layoutscope -n '__layoutscope_at desc' -l dtype -x -d 'Element type'
complete -c layoutscope -n '__layoutscope_at desc' -l region -x -d 'The part of the buffer that the operand is'
complete -c layoutscope -n '__layoutscope_at desc' -l mn-major -d 'The region is K by MN'
complete -c layoutscope -n '__layoutscope_at desc' -l transposed -d 'The region is K by MN'
complete -c layoutscope -n '__layoutscope_at desc' -l address -x -d 'Where the buffer starts, in bytes'
complete -c layoutscope -n '__layoutscope_at desc' -l tile -x -d 'Rows of one instruction'
complete -c layoutscope -n '__layoutscope_at desc' -l generation -x -a 'blackwell hopper' -d 'Whose descriptor'
complete -c layoutscope -n '__layoutscope_at desc' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at desc' -s h -l help -d 'Print help'

# [desc_gemm]
complete -c layoutscope -n '__layoutscope_at desc gemm' -l part -x -a 'gmem smem-a smem-b tmem registers matrix-a matrix-b instruction banks-a banks-b' -d 'What the picture shows'
complete -c layoutscope -n '__layoutscope_at desc gemm' -l step -x -d 'Instruction that the picture shows'
complete -c layoutscope -n '__layoutscope_at desc gemm' -l svg -r -F -d 'SVG file for the picture'
complete -c layoutscope -n '__layoutscope_at desc gemm' -l png -r -F -d 'PNG file for the picture'
complete -c layoutscope -n '__layoutscope_at desc gemm' -l theme -x -a 'light dark' -d 'Light or dark'
complete -c layoutscope -n '__layoutscope_at desc gemm' -l width -x -d 'Points'
complete -c layoutscope -n '__layoutscope_at desc gemm' -l scale -x -d 'PNG: pixels per point'
complete -c layoutscope -n '__layoutscope_at desc gemm' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at desc gemm' -s h -l help -d 'Print help'
complete -c layoutscope -n '__layoutscope_at desc gemm' -F

# [desc_decode]
complete -c layoutscope -n '__layoutscope_at desc decode' -s k -l kind -x -a 'blackwell-smem hopper-smem instr-f16 instr-tf32 instr-i8 instr-f8f6f4 instr-mxf4 instr-mxf4nvf4 instr-mxf8f6f4' -d 'What the word is'
complete -c layoutscope -n '__layoutscope_at desc decode' -l major -x -a 'k mn' -d 'Major-ness of a matrix operand'
complete -c layoutscope -n '__layoutscope_at desc decode' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at desc decode' -s h -l help -d 'Print help'

# [desc_encode]
complete -c layoutscope -n '__layoutscope_at desc encode' -s k -l kind -x -a 'blackwell-smem hopper-smem instr-f16 instr-tf32 instr-i8 instr-f8f6f4 instr-mxf4 instr-mxf4nvf4 instr-mxf8f6f4' -d 'What to make'
complete -c layoutscope -n '__layoutscope_at desc encode' -l address -x -d 'Start address in bytes'
complete -c layoutscope -n '__layoutscope_at desc encode' -l ldo -x -d 'Leading offset, units of 16 bytes'
complete -c layoutscope -n '__layoutscope_at desc encode' -l sdo -x -d 'Stride offset, units of 16 bytes'
complete -c layoutscope -n '__layoutscope_at desc encode' -l swizzle -x -a 'none 32B 64B 128B 128B-base32B' -d 'Swizzle'
complete -c layoutscope -n '__layoutscope_at desc encode' -s m -l rows -x -d 'M over the CTA group'
complete -c layoutscope -n '__layoutscope_at desc encode' -s n -l columns -x -d 'N'
complete -c layoutscope -n '__layoutscope_at desc encode' -s a -l a-type -x -d 'Number format of A'
complete -c layoutscope -n '__layoutscope_at desc encode' -s b -l b-type -x -d 'Number format of B'
complete -c layoutscope -n '__layoutscope_at desc encode' -s d -l d-type -x -d 'Number format of D'
complete -c layoutscope -n '__layoutscope_at desc encode' -l scale-type -x -d 'Number format of scale factors'
complete -c layoutscope -n '__layoutscope_at desc encode' -l cta-group -x -a '1 2' -d 'CTAs that work together'
complete -c layoutscope -n '__layoutscope_at desc encode' -l a-mn-major -d 'A is MN-major'
complete -c layoutscope -n '__layoutscope_at desc encode' -l b-mn-major -d 'B is MN-major'
complete -c layoutscope -n '__layoutscope_at desc encode' -l negate-a -d 'Negate A'
complete -c layoutscope -n '__layoutscope_at desc encode' -l negate-b -d 'Negate B'
complete -c layoutscope -n '__layoutscope_at desc encode' -l saturate -d 'Saturate D'
complete -c layoutscope -n '__layoutscope_at desc encode' -l sparse -d 'A is sparse'
complete -c layoutscope -n '__layoutscope_at desc encode' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at desc encode' -s h -l help -d 'Print help'

# [passes]
complete -c layoutscope -n '__layoutscope_at passes' -l at -x -d 'The program after this pass'
complete -c layoutscope -n '__layoutscope_at passes' -l diff -x -d 'What this pass changed'
complete -c layoutscope -n '__layoutscope_at passes' -l follow -x -d 'Follow one element through every pass'
complete -c layoutscope -n '__layoutscope_at passes' -l against -x -a '(__fish_complete_directories)' -d 'Compare every pass with dumps below this directory'
complete -c layoutscope -n '__layoutscope_at passes' -l chain -d 'Run the whole pipeline from the first dump on'
complete -c layoutscope -n '__layoutscope_at passes' -l all -d 'Also passes that changed nothing'
complete -c layoutscope -n '__layoutscope_at passes' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at passes' -l chip -x -a 'a2a3 a5' -d 'Chip'
complete -c layoutscope -n '__layoutscope_at passes' -l ptoas -x -d 'PTOAS version 0.N'
complete -c layoutscope -n '__layoutscope_at passes' -s h -l help -d 'Print help'
complete -c layoutscope -n '__layoutscope_at passes' -F

# [export]
complete -c layoutscope -n '__layoutscope_at export' -s t -l target -x -a 'pto pto-isa cuda' -d 'What to write'
complete -c layoutscope -n '__layoutscope_at export' -s o -l output -r -F -d 'File to write'
complete -c layoutscope -n '__layoutscope_at export' -l as-is -d 'Without running passes'
complete -c layoutscope -n '__layoutscope_at export' -l function -x -d 'Only this function'
complete -c layoutscope -n '__layoutscope_at export' -l chip -x -a 'a2a3 a5' -d 'Chip'
complete -c layoutscope -n '__layoutscope_at export' -l arch -x -a 'sm_100a sm_90a' -d 'Architecture for cuda'
complete -c layoutscope -n '__layoutscope_at export' -l ptoas -x -d 'PTOAS version 0.N'
complete -c layoutscope -n '__layoutscope_at export' -s h -l help -d 'Print help'
complete -c layoutscope -n '__layoutscope_at export' -F

# [l0]
complete -c layoutscope -n '__layoutscope_at l0' -l m -x -d 'Rows of A and C'
complete -c layoutscope -n '__layoutscope_at l0' -l n -x -d 'Columns of B and C'
complete -c layoutscope -n '__layoutscope_at l0' -l k -x -d 'Columns of A, rows of B'
complete -c layoutscope -n '__layoutscope_at l0' -l dtype -x -a 'bf16 fp16 fp32 int8 fp8e4m3 fp8e5m2' -d 'Element type of A and B'
complete -c layoutscope -n '__layoutscope_at l0' -l acc -x -a 'fp32 int32' -d 'Element type of C'
complete -c layoutscope -n '__layoutscope_at l0' -l chip -x -a 'a2a3 a5' -d 'Chip'
complete -c layoutscope -n '__layoutscope_at l0' -l nz-store -d 'C is stored into an NZ tensor'
complete -c layoutscope -n '__layoutscope_at l0' -l exact-k -d 'k must divide K'
complete -c layoutscope -n '__layoutscope_at l0' -l two-accumulators -d 'Try two accumulators, too'
complete -c layoutscope -n '__layoutscope_at l0' -l rows -x -d 'Rows of the table'
complete -c layoutscope -n '__layoutscope_at l0' -l all -d 'Every row, those that do not fit, too'
complete -c layoutscope -n '__layoutscope_at l0' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at l0' -l csv -d 'Print CSV'
complete -c layoutscope -n '__layoutscope_at l0' -l svg -r -F -d 'Write the picture as SVG'
complete -c layoutscope -n '__layoutscope_at l0' -l png -r -F -d 'Write the picture as PNG'
complete -c layoutscope -n '__layoutscope_at l0' -l theme -x -a 'light dark' -d 'Light or dark'
complete -c layoutscope -n '__layoutscope_at l0' -l width -x -d 'Points'
complete -c layoutscope -n '__layoutscope_at l0' -l scale -x -d 'PNG: pixels per point'
complete -c layoutscope -n '__layoutscope_at l0' -s h -l help -d 'Print help'

# [memory]
complete -c layoutscope -n '__layoutscope_at memory' -l at -x -d 'Program after this pass'
complete -c layoutscope -n '__layoutscope_at memory' -l function -x -d 'Only this function'
complete -c layoutscope -n '__layoutscope_at memory' -l chip -x -a 'a2a3 a5' -d 'Chip'
complete -c layoutscope -n '__layoutscope_at memory' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at memory' -l csv -d 'Print CSV'
complete -c layoutscope -n '__layoutscope_at memory' -l used -d 'Scale of what is used'
complete -c layoutscope -n '__layoutscope_at memory' -l svg -r -F -d 'Write the picture as SVG'
complete -c layoutscope -n '__layoutscope_at memory' -l png -r -F -d 'Write the picture as PNG'
complete -c layoutscope -n '__layoutscope_at memory' -l theme -x -a 'light dark' -d 'Light or dark'
complete -c layoutscope -n '__layoutscope_at memory' -l width -x -d 'Points'
complete -c layoutscope -n '__layoutscope_at memory' -l scale -x -d 'PNG: pixels per point'
complete -c layoutscope -n '__layoutscope_at memory' -s h -l help -d 'Print help'
complete -c layoutscope -n '__layoutscope_at memory' -F

# [render]
complete -c layoutscope -n '__layoutscope_at render' -s o -l output -r -F -d 'File to write'
complete -c layoutscope -n '__layoutscope_at render' -l format -x -a 'svg png pdf' -d 'Format'
complete -c layoutscope -n '__layoutscope_at render' -l part -x -a 'both logical physical' -d 'Which pictures'
complete -c layoutscope -n '__layoutscope_at render' -l color -x -a 'block offset bank chunk thread register coordinate' -d 'Property that colours the cells'
complete -c layoutscope -n '__layoutscope_at render' -l label -x -a 'none coordinate offset address index bank block thread' -d 'What cells carry'
complete -c layoutscope -n '__layoutscope_at render' -l element -x -d 'Light one element'
complete -c layoutscope -n '__layoutscope_at render' -l axes -x -d 'Dimensions that run down and right'
complete -c layoutscope -n '__layoutscope_at render' -l fixed -x -d 'Where the other dimensions stand'
complete -c layoutscope -n '__layoutscope_at render' -l row-bytes -x -d 'Bytes in a row of the memory picture'
complete -c layoutscope -n '__layoutscope_at render' -l no-swizzle -d 'As if the swizzle were not there'
complete -c layoutscope -n '__layoutscope_at render' -l patterns -d 'Patterns beside colours'
complete -c layoutscope -n '__layoutscope_at render' -l theme -x -a 'light dark' -d 'Light or dark'
complete -c layoutscope -n '__layoutscope_at render' -l width -x -d 'Points'
complete -c layoutscope -n '__layoutscope_at render' -l height -x -d 'Points'
complete -c layoutscope -n '__layoutscope_at render' -l scale -x -d 'PNG: pixels per point'
complete -c layoutscope -n '__layoutscope_at render' -s h -l help -d 'Print help'
complete -c layoutscope -n '__layoutscope_at render' -F

# [ub]
complete -c layoutscope -n '__layoutscope_needs_command ub' -a partition -d 'Where every view lies'
complete -c layoutscope -n '__layoutscope_needs_command ub' -a check -d 'Everything that is wrong with a partition'
complete -c layoutscope -n '__layoutscope_needs_command ub' -a fit -d 'Who takes the bytes, how far sizes may grow'
complete -c layoutscope -n '__layoutscope_needs_command ub' -a overlay -d 'Which views may share bytes'
complete -c layoutscope -n '__layoutscope_needs_command ub' -a whatif -d 'Change one line of the kernel'
complete -c layoutscope -n '__layoutscope_needs_command ub' -a vstep -d 'Search the V step'
complete -c layoutscope -n '__layoutscope_needs_command ub' -a record -d 'The 64-byte tiling record'
complete -c layoutscope -n '__layoutscope_needs_command ub' -a export -d 'Export kernel source'
complete -c layoutscope -n '__layoutscope_needs_command ub' -a work -d 'Spread variable-length work over cores'
complete -c layoutscope -n '__layoutscope_needs_command ub' -a platforms -d 'Chips and their limits'
complete -c layoutscope -n '__layoutscope_at ub' -s h -l help -d 'Print help'

# [ub_partition]
complete -c layoutscope -n '__layoutscope_at ub partition' -l set -x -d 'Change a parameter: name=value'
complete -c layoutscope -n '__layoutscope_at ub partition' -l variant -x -a 'v1108 v1135' -d 'Code version'
complete -c layoutscope -n '__layoutscope_at ub partition' -l chip -x -a 'Ascend310P3 910B3' -d 'Chip'
complete -c layoutscope -n '__layoutscope_at ub partition' -l ub -x -d 'Bytes of unified buffer'
complete -c layoutscope -n '__layoutscope_at ub partition' -l aiv -x -d 'Vector cores that the host sees'
complete -c layoutscope -n '__layoutscope_at ub partition' -l batch -x -d 'Sequences'
complete -c layoutscope -n '__layoutscope_at ub partition' -l rows -x -d 'Packed rows T'
complete -c layoutscope -n '__layoutscope_at ub partition' -l hqk -x -d 'Query and key heads'
complete -c layoutscope -n '__layoutscope_at ub partition' -l hv -x -d 'Value heads'
complete -c layoutscope -n '__layoutscope_at ub partition' -l dk -x -d 'Key head size'
complete -c layoutscope -n '__layoutscope_at ub partition' -l dv -x -d 'Value head size'
complete -c layoutscope -n '__layoutscope_at ub partition' -l chunk -x -d 'Rows of a chunk'
complete -c layoutscope -n '__layoutscope_at ub partition' -l v-step -x -d 'V step'
complete -c layoutscope -n '__layoutscope_at ub partition' -l blocks -x -d 'Launched blocks'
complete -c layoutscope -n '__layoutscope_at ub partition' -l share -d 'The device shares scores and state'
complete -c layoutscope -n '__layoutscope_at ub partition' -l separate -d 'The device keeps them apart'
complete -c layoutscope -n '__layoutscope_at ub partition' -l svg -r -F -d 'SVG file for the picture'
complete -c layoutscope -n '__layoutscope_at ub partition' -l png -r -F -d 'PNG file for the picture'
complete -c layoutscope -n '__layoutscope_at ub partition' -l theme -x -a 'light dark' -d 'Light or dark'
complete -c layoutscope -n '__layoutscope_at ub partition' -l width -x -d 'Points'
complete -c layoutscope -n '__layoutscope_at ub partition' -l scale -x -d 'PNG: pixels per point'
complete -c layoutscope -n '__layoutscope_at ub partition' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at ub partition' -s h -l help -d 'Print help'
complete -c layoutscope -n '__layoutscope_at ub partition' -F

# [ub_check]
complete -c layoutscope -n '__layoutscope_at ub check' -l set -x -d 'Change a parameter: name=value'
complete -c layoutscope -n '__layoutscope_at ub check' -l variant -x -a 'v1108 v1135' -d 'Code version'
complete -c layoutscope -n '__layoutscope_at ub check' -l chip -x -a 'Ascend310P3 910B3' -d 'Chip'
complete -c layoutscope -n '__layoutscope_at ub check' -l ub -x -d 'Bytes of unified buffer'
complete -c layoutscope -n '__layoutscope_at ub check' -l aiv -x -d 'Vector cores that the host sees'
complete -c layoutscope -n '__layoutscope_at ub check' -l batch -x -d 'Sequences'
complete -c layoutscope -n '__layoutscope_at ub check' -l rows -x -d 'Packed rows T'
complete -c layoutscope -n '__layoutscope_at ub check' -l hqk -x -d 'Query and key heads'
complete -c layoutscope -n '__layoutscope_at ub check' -l hv -x -d 'Value heads'
complete -c layoutscope -n '__layoutscope_at ub check' -l dk -x -d 'Key head size'
complete -c layoutscope -n '__layoutscope_at ub check' -l dv -x -d 'Value head size'
complete -c layoutscope -n '__layoutscope_at ub check' -l chunk -x -d 'Rows of a chunk'
complete -c layoutscope -n '__layoutscope_at ub check' -l strict -d 'Warnings count as errors'
complete -c layoutscope -n '__layoutscope_at ub check' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at ub check' -s h -l help -d 'Print help'
complete -c layoutscope -n '__layoutscope_at ub check' -F

# [ub_fit]
complete -c layoutscope -n '__layoutscope_at ub fit' -l set -x -d 'Change a parameter: name=value'
complete -c layoutscope -n '__layoutscope_at ub fit' -l variant -x -a 'v1108 v1135' -d 'Code version'
complete -c layoutscope -n '__layoutscope_at ub fit' -l chip -x -a 'Ascend310P3 910B3' -d 'Chip'
complete -c layoutscope -n '__layoutscope_at ub fit' -l ub -x -d 'Bytes of unified buffer'
complete -c layoutscope -n '__layoutscope_at ub fit' -l aiv -x -d 'Vector cores that the host sees'
complete -c layoutscope -n '__layoutscope_at ub fit' -l batch -x -d 'Sequences'
complete -c layoutscope -n '__layoutscope_at ub fit' -l rows -x -d 'Packed rows T'
complete -c layoutscope -n '__layoutscope_at ub fit' -l hqk -x -d 'Query and key heads'
complete -c layoutscope -n '__layoutscope_at ub fit' -l hv -x -d 'Value heads'
complete -c layoutscope -n '__layoutscope_at ub fit' -l dk -x -d 'Key head size'
complete -c layoutscope -n '__layoutscope_at ub fit' -l dv -x -d 'Value head size'
complete -c layoutscope -n '__layoutscope_at ub fit' -l chunk -x -d 'Rows of a chunk'
complete -c layoutscope -n '__layoutscope_at ub fit' -l vary -x -d 'Range of a parameter: name=low:high:step'
complete -c layoutscope -n '__layoutscope_at ub fit' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at ub fit' -s h -l help -d 'Print help'
complete -c layoutscope -n '__layoutscope_at ub fit' -F

# [ub_overlay]
complete -c layoutscope -n '__layoutscope_at ub overlay' -l set -x -d 'Change a parameter: name=value'
complete -c layoutscope -n '__layoutscope_at ub overlay' -l variant -x -a 'v1108 v1135' -d 'Code version'
complete -c layoutscope -n '__layoutscope_at ub overlay' -l chip -x -a 'Ascend310P3 910B3' -d 'Chip'
complete -c layoutscope -n '__layoutscope_at ub overlay' -l ub -x -d 'Bytes of unified buffer'
complete -c layoutscope -n '__layoutscope_at ub overlay' -l aiv -x -d 'Vector cores that the host sees'
complete -c layoutscope -n '__layoutscope_at ub overlay' -l batch -x -d 'Sequences'
complete -c layoutscope -n '__layoutscope_at ub overlay' -l rows -x -d 'Packed rows T'
complete -c layoutscope -n '__layoutscope_at ub overlay' -l hqk -x -d 'Query and key heads'
complete -c layoutscope -n '__layoutscope_at ub overlay' -l hv -x -d 'Value heads'
complete -c layoutscope -n '__layoutscope_at ub overlay' -l dk -x -d 'Key head size'
complete -c layoutscope -n '__layoutscope_at ub overlay' -l dv -x -d 'Value head size'
complete -c layoutscope -n '__layoutscope_at ub overlay' -l chunk -x -d 'Rows of a chunk'
complete -c layoutscope -n '__layoutscope_at ub overlay' -l v-step -x -d 'V step'
complete -c layoutscope -n '__layoutscope_at ub overlay' -l tiles -x -d 'V tiles'
complete -c layoutscope -n '__layoutscope_at ub overlay' -l write -r -F -d 'Write the smallest placement to this file'
complete -c layoutscope -n '__layoutscope_at ub overlay' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at ub overlay' -s h -l help -d 'Print help'
complete -c layoutscope -n '__layoutscope_at ub overlay' -F

# [ub_whatif]
complete -c layoutscope -n '__layoutscope_at ub whatif' -l variant -x -a 'v1108 v1135' -d 'Code version'
complete -c layoutscope -n '__layoutscope_at ub whatif' -l chip -x -a 'Ascend310P3 910B3' -d 'Chip'
complete -c layoutscope -n '__layoutscope_at ub whatif' -l ub -x -d 'Bytes of unified buffer'
complete -c layoutscope -n '__layoutscope_at ub whatif' -l aiv -x -d 'Vector cores that the host sees'
complete -c layoutscope -n '__layoutscope_at ub whatif' -l batch -x -d 'Sequences'
complete -c layoutscope -n '__layoutscope_at ub whatif' -l rows -x -d 'Packed rows T'
complete -c layoutscope -n '__layoutscope_at ub whatif' -l hqk -x -d 'Query and key heads'
complete -c layoutscope -n '__layoutscope_at ub whatif' -l hv -x -d 'Value heads'
complete -c layoutscope -n '__layoutscope_at ub whatif' -l dk -x -d 'Key head size'
complete -c layoutscope -n '__layoutscope_at ub whatif' -l dv -x -d 'Value head size'
complete -c layoutscope -n '__layoutscope_at ub whatif' -l chunk -x -d 'Rows of a chunk'
complete -c layoutscope -n '__layoutscope_at ub whatif' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at ub whatif' -s h -l help -d 'Print help'

# [ub_vstep]
complete -c layoutscope -n '__layoutscope_at ub vstep' -l variant -x -a 'v1108 v1135' -d 'Code version'
complete -c layoutscope -n '__layoutscope_at ub vstep' -l chip -x -a 'Ascend310P3 910B3' -d 'Chip'
complete -c layoutscope -n '__layoutscope_at ub vstep' -l ub -x -d 'Bytes of unified buffer'
complete -c layoutscope -n '__layoutscope_at ub vstep' -l aiv -x -d 'Vector cores that the host sees'
complete -c layoutscope -n '__layoutscope_at ub vstep' -l batch -x -d 'Sequences'
complete -c layoutscope -n '__layoutscope_at ub vstep' -l rows -x -d 'Packed rows T'
complete -c layoutscope -n '__layoutscope_at ub vstep' -l hqk -x -d 'Query and key heads'
complete -c layoutscope -n '__layoutscope_at ub vstep' -l hv -x -d 'Value heads'
complete -c layoutscope -n '__layoutscope_at ub vstep' -l dk -x -d 'Key head size'
complete -c layoutscope -n '__layoutscope_at ub vstep' -l dv -x -d 'Value head size'
complete -c layoutscope -n '__layoutscope_at ub vstep' -l chunk -x -d 'Rows of a chunk'
complete -c layoutscope -n '__layoutscope_at ub vstep' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at ub vstep' -s h -l help -d 'Print help'

# [ub_record]
complete -c layoutscope -n '__layoutscope_at ub record' -l decode -x -d 'Decode these hex bytes'
complete -c layoutscope -n '__layoutscope_at ub record' -l scale -x -d 'scaleValue'
complete -c layoutscope -n '__layoutscope_at ub record' -l gamma -d 'hasGamma'
complete -c layoutscope -n '__layoutscope_at ub record' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at ub record' -l variant -x -a 'v1108 v1135' -d 'Code version'
complete -c layoutscope -n '__layoutscope_at ub record' -l chip -x -a 'Ascend310P3 910B3' -d 'Chip'
complete -c layoutscope -n '__layoutscope_at ub record' -l ub -x -d 'Bytes of unified buffer'
complete -c layoutscope -n '__layoutscope_at ub record' -l aiv -x -d 'Vector cores that the host sees'
complete -c layoutscope -n '__layoutscope_at ub record' -l batch -x -d 'Sequences'
complete -c layoutscope -n '__layoutscope_at ub record' -l rows -x -d 'Packed rows T'
complete -c layoutscope -n '__layoutscope_at ub record' -l hqk -x -d 'Query and key heads'
complete -c layoutscope -n '__layoutscope_at ub record' -l hv -x -d 'Value heads'
complete -c layoutscope -n '__layoutscope_at ub record' -l dk -x -d 'Key head size'
complete -c layoutscope -n '__layoutscope_at ub record' -l dv -x -d 'Value head size'
complete -c layoutscope -n '__layoutscope_at ub record' -l chunk -x -d 'Rows of a chunk'
complete -c layoutscope -n '__layoutscope_at ub record' -s h -l help -d 'Print help'

# [ub_export]
complete -c layoutscope -n '__layoutscope_at ub export' -l set -x -d 'Change a parameter: name=value'
complete -c layoutscope -n '__layoutscope_at ub export' -l variant -x -a 'v1108 v1135' -d 'Code version'
complete -c layoutscope -n '__layoutscope_at ub export' -l chip -x -a 'Ascend310P3 910B3' -d 'Chip'
complete -c layoutscope -n '__layoutscope_at ub export' -l ub -x -d 'Bytes of unified buffer'
complete -c layoutscope -n '__layoutscope_at ub export' -l aiv -x -d 'Vector cores that the host sees'
complete -c layoutscope -n '__layoutscope_at ub export' -l batch -x -d 'Sequences'
complete -c layoutscope -n '__layoutscope_at ub export' -l rows -x -d 'Packed rows T'
complete -c layoutscope -n '__layoutscope_at ub export' -l hqk -x -d 'Query and key heads'
complete -c layoutscope -n '__layoutscope_at ub export' -l hv -x -d 'Value heads'
complete -c layoutscope -n '__layoutscope_at ub export' -l dk -x -d 'Key head size'
complete -c layoutscope -n '__layoutscope_at ub export' -l dv -x -d 'Value head size'
complete -c layoutscope -n '__layoutscope_at ub export' -l chunk -x -d 'Rows of a chunk'
complete -c layoutscope -n '__layoutscope_at ub export' -s o -l output -r -F -d 'File to write'
complete -c layoutscope -n '__layoutscope_at ub export' -l name -x -d 'Name of the exported class'
complete -c layoutscope -n '__layoutscope_at ub export' -l lens -x -d 'Rows of each batch'
complete -c layoutscope -n '__layoutscope_at ub export' -l scale -x -d 'scaleValue'
complete -c layoutscope -n '__layoutscope_at ub export' -l gamma -d 'hasGamma'
complete -c layoutscope -n '__layoutscope_at ub export' -s h -l help -d 'Print help'
complete -c layoutscope -n '__layoutscope_at ub export' -F

# [ub_work]
complete -c layoutscope -n '__layoutscope_at ub work' -l lens -x -d 'Rows of each batch'
complete -c layoutscope -n '__layoutscope_at ub work' -l heads -x -d 'Value heads'
complete -c layoutscope -n '__layoutscope_at ub work' -l cores -x -d 'Launched blocks'
complete -c layoutscope -n '__layoutscope_at ub work' -l tiles -x -d 'V tiles'
complete -c layoutscope -n '__layoutscope_at ub work' -l rule -x -a 'source carry-over floor double-call retry-call balanced' -d 'How ownership is decided'
complete -c layoutscope -n '__layoutscope_at ub work' -l quota -x -d 'What avgload holds'
complete -c layoutscope -n '__layoutscope_at ub work' -l packed-rows -x -d 'Rows of the packed tensors'
complete -c layoutscope -n '__layoutscope_at ub work' -l max-cores -x -d 'Cores of the chip'
complete -c layoutscope -n '__layoutscope_at ub work' -l chunk -x -d 'Rows of a chunk'
complete -c layoutscope -n '__layoutscope_at ub work' -l trace -x -d 'Replay the first N calls'
complete -c layoutscope -n '__layoutscope_at ub work' -l items -d 'List every unit with its owner'
complete -c layoutscope -n '__layoutscope_at ub work' -l svg -r -F -d 'SVG file for the picture'
complete -c layoutscope -n '__layoutscope_at ub work' -l png -r -F -d 'PNG file for the picture'
complete -c layoutscope -n '__layoutscope_at ub work' -l theme -x -a 'light dark' -d 'Light or dark'
complete -c layoutscope -n '__layoutscope_at ub work' -l width -x -d 'Points'
complete -c layoutscope -n '__layoutscope_at ub work' -l scale -x -d 'PNG: pixels per point'
complete -c layoutscope -n '__layoutscope_at ub work' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at ub work' -s h -l help -d 'Print help'

# [ub_platforms]
complete -c layoutscope -n '__layoutscope_at ub platforms' -l json -d 'Print JSON'
complete -c layoutscope -n '__layoutscope_at ub platforms' -s h -l help -d 'Print help'

# [conformance]
complete -c layoutscope -n '__layoutscope_at conformance' -s v -l verbose -d 'Say what differed'
complete -c layoutscope -n '__layoutscope_at conformance' -s h -l help -d 'Print help'
complete -c layoutscope -n '__layoutscope_at conformance' -F

# [gui]
complete -c layoutscope -n '__layoutscope_at gui' -s h -l help -d 'Print help'
complete -c layoutscope -n '__layoutscope_at gui' -F


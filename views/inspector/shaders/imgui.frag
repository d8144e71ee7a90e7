#version 440
layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 tint;
layout(location = 0) out vec4 result;
layout(std140, binding = 0) uniform Block {
    mat4 matrix;
    float opacity;
};
layout(binding = 1) uniform sampler2D atlas;

void main()
{
    vec4 texel = texture(atlas, uv); // premultiplied when Qt made the texture: multiply colour by alpha once only
    result = vec4(tint.rgb * tint.a * texel.rgb, tint.a * texel.a) * opacity;
}

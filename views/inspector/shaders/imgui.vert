#version 440
// Positions arrive in device pixels; the node's matrix scales them to the item.
layout(location = 0) in vec4 position;
layout(location = 1) in vec2 coordinate;
layout(location = 2) in vec4 color;
layout(location = 0) out vec2 uv;
layout(location = 1) out vec4 tint;
layout(std140, binding = 0) uniform Block {
    mat4 matrix;
    float opacity;
};
out gl_PerVertex { vec4 gl_Position; };

void main()
{
    uv = coordinate;
    tint = color;
    gl_Position = matrix * position;
}

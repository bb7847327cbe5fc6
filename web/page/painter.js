// Draws the triangles of a frame with WebGL, with one texture for each batch, or none. Edges are
// smooth, until `simplify` is called.

const VERTEX = `#version 300 es
uniform vec2 size;
in vec2 place, spot;
in vec4 color;
out vec2 at;
out vec4 tint;
void main() {
  at = spot;
  tint = color;
  gl_Position = vec4(2.0 * place.x / size.x - 1.0, 1.0 - 2.0 * place.y / size.y, 0.0, 1.0);
}`;
const makeFragment = (color) => `#version 300 es
precision mediump float;
uniform sampler2D image;
in vec2 at;
in vec4 tint;
out vec4 result;
void main() {
  vec4 c = ${color};
  result = vec4(c.rgb * c.a, c.a);
}`;
// A renderer without a graphics card needs twice the time if it reads a texture for each pixel.
const COLORED = makeFragment("tint"), TEXTURED = makeFragment("tint * texture(image, at)");
const SAMPLES = 4; // for a pixel, as in the examples' windows

const FAMILY = '"Bitstream Vera Sans", "DejaVu Sans", Verdana, system-ui, sans-serif';
const FIRST = 32, LETTERS = 95, COLUMNS = 16, ROWS = 6;

/** Returns the width of each letter in a font of size 1. */
export function measureLetters() {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `100px ${FAMILY}`;
  return Array.from({ length: LETTERS }, (_, i) =>
    context.measureText(String.fromCharCode(FIRST + i)).width / 100);
}

/** Draws all letters of a font in white, in cells 1.5 times as wide and high as its size. */
function drawLetters(size, scale) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(1.5 * size * scale * COLUMNS);
  canvas.height = Math.round(1.5 * size * scale * ROWS);
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.scale(canvas.width / (1.5 * size * COLUMNS), canvas.height / (1.5 * size * ROWS));
  context.font = `${size}px ${FAMILY}`;
  for (let i = 0; i < LETTERS; i++) {
    context.fillText(String.fromCharCode(FIRST + i), 1.5 * size * (i % COLUMNS) + 0.25 * size,
      1.5 * size * Math.floor(i / COLUMNS) + 1.03 * size);
  }
  return canvas;
}

function compile(gl, fragment) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  ["place", "spot", "color"].forEach((name, i) => gl.bindAttribLocation(program, i, name));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(gl.getProgramInfoLog(program) || "WebGL gave up");
  }
  return { program, size: gl.getUniformLocation(program, "size") };
}

export class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    this.samples = SAMPLES;
    this.gl = canvas.getContext("webgl2", { antialias: false, depth: false });
    if (!this.gl) {
      throw new Error("This browser has no WebGL 2.");
    }
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => this.begin());
    this.begin();
  }

  begin() {
    const gl = this.gl;
    this.textures = new Map();
    this.colored = compile(gl, COLORED);
    this.textured = compile(gl, TEXTURED);
    this.smooth = gl.createFramebuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 20, 0);
    gl.vertexAttribPointer(1, 2, gl.FLOAT, false, 20, 8);
    gl.vertexAttribPointer(2, 4, gl.UNSIGNED_BYTE, true, 20, 16);
    [0, 1, 2].forEach((i) => gl.enableVertexAttribArray(i));
    gl.enable(gl.BLEND);
    this.reserve();
  }

  /** Makes the buffer that a frame is drawn into before its samples become pixels. */
  reserve() {
    const gl = this.gl, buffer = gl.createRenderbuffer();
    gl.deleteRenderbuffer(this.buffer);
    this.buffer = buffer;
    gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
    gl.renderbufferStorageMultisample(gl.RENDERBUFFER, this.samples, gl.RGBA8, this.canvas.width,
      this.canvas.height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.smooth);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, buffer);
  }

  /** From now on draws faster, with edges that are not smooth. A page calls it if frames are late. */
  simplify() {
    this.samples = 0;
  }

  /** Sets the size of the picture, in pixels of the program and of the screen. */
  resize(width, height, scale) {
    if (this.width !== width || this.height !== height || this.scale !== scale) {
      Object.assign(this, { width, height, scale });
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
      this.reserve();
    }
  }

  upload(id, w, h, source) {
    const gl = this.gl, texture = this.textures.get(id) || gl.createTexture();
    this.textures.set(id, texture);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    if (source instanceof Uint8Array) {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, w, h, 0, gl.RGBA, gl.UNSIGNED_BYTE, source);
    } else {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, source);
    }
    for (const edge of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) {
      gl.texParameteri(gl.TEXTURE_2D, edge, gl.CLAMP_TO_EDGE);
    }
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  }

  setScissor([x, y, w, h]) {
    const gl = this.gl, s = this.scale;
    if (w < 0) {
      gl.disable(gl.SCISSOR_TEST);
      return;
    }
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(Math.round(x * s), Math.round((this.height - y - h) * s), Math.round(w * s),
      Math.round(h * s));
  }

  paint(picture) {
    const gl = this.gl;
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    for (const { id, w, h, size, bytes } of picture.textures) {
      this.upload(id, w, h, bytes ? new Uint8Array(bytes) : drawLetters(size, this.scale));
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.samples ? this.smooth : null);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(...picture.background.slice(0, 3).map((part) => part / 255), 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    for (const { program, size } of [this.colored, this.textured]) {
      gl.useProgram(program);
      gl.uniform2f(size, this.width, this.height);
    }
    gl.bufferData(gl.ARRAY_BUFFER, picture.vertices, gl.STREAM_DRAW);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, picture.indices, gl.STREAM_DRAW);
    const words = new Int32Array(picture.batches);
    for (let i = 0; i < words.length; i += 8) {
      const [texture, adds, x, y, w, h, first, count] = words.subarray(i, i + 8);
      const image = this.textures.get(texture);
      gl.useProgram((image ? this.textured : this.colored).program);
      gl.bindTexture(gl.TEXTURE_2D, image || null);
      gl.blendFunc(gl.ONE, adds ? gl.ONE : gl.ONE_MINUS_SRC_ALPHA);
      this.setScissor([x, y, w, h]);
      gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 4 * first);
    }
    if (this.samples) {
      this.present();
    }
  }

  /** Shows what was drawn: the mean of the samples of each pixel. */
  present() {
    const gl = this.gl, { width, height } = this.canvas;
    gl.disable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.smooth);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }
}

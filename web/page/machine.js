// Lua in WebAssembly, for a worker and for node. Text goes in and comes out as UTF-8.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A small program with one vector instruction. If it does not compile, there are no vectors. */
const WITH_VECTORS = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1,
  0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

export const hasVectors = () => WebAssembly.validate(WITH_VECTORS);

/** factory: the function that Emscripten has made; bytes: the program that it loads. */
export async function newMachine(factory, bytes) {
  let memory;
  const module = await factory({
    print: () => {},
    printErr: () => {},
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(bytes, imports).then(({ instance, module: compiled }) => {
        memory = Object.values(instance.exports).find((e) => e instanceof WebAssembly.Memory);
        done(instance, compiled);
      });
      return {};
    },
  });
  return new Machine(module, memory);
}

class Machine {
  constructor(module, memory) {
    this.module = module;
    this.memory = memory;
  }

  /** Calls use(address, length) with the text in memory, followed by a zero byte. */
  withText(text, use) {
    const bytes = encoder.encode(text);
    const at = this.module._web_room(bytes.length + 1);
    const place = new Uint8Array(this.memory.buffer, at, bytes.length + 1);
    place.set(bytes);
    place[bytes.length] = 0;
    const result = use(at, bytes.length);
    this.module._web_free(at);
    return result;
  }

  /** The result of the last call, or its error message. */
  message() {
    const bytes = new Uint8Array(this.memory.buffer);
    const at = this.module._web_message();
    return decoder.decode(bytes.slice(at, bytes.indexOf(0, at)));
  }

  answer(failed) {
    const text = this.message();
    if (failed) {
      throw new LuaError(text);
    }
    return text;
  }

  /** Starts Lua again, with `bytes` of memory, and `milliseconds` for each call. */
  start(bytes, milliseconds) {
    this.answer(this.module._web_start(bytes, milliseconds));
  }

  put(path, text) {
    this.withText(path, (name) =>
      this.withText(text, (at, length) => this.module._web_put(name, at, length)));
  }

  run(name, text) {
    return this.answer(this.withText(name, (at) =>
      this.withText(text, (code, length) => this.module._web_run(at, code, length))));
  }

  call(name, text = "", a = 0, b = 0, c = 0, d = 0) {
    return this.answer(this.withText(name, (at) =>
      this.withText(text, (value) => this.module._web_call(at, value, a, b, c, d))));
  }

  /** Returns copies of what was drawn since the last call. */
  takePicture() {
    const words = new Uint32Array(this.memory.buffer, this.module._web_picture(), 10);
    const copy = (at, bytes) => this.memory.buffer.slice(at, at + bytes);
    const [vertices, vertexCount, indices, indexCount, batches, batchCount, textures,
      textureCount] = words;
    const result = {
      vertices: copy(vertices, 20 * vertexCount),
      indices: copy(indices, 4 * indexCount),
      batches: copy(batches, 32 * batchCount),
      background: [...new Uint8Array(copy(words.byteOffset + 32, 4))],
      dropped: words[9],
      textures: [],
    };
    for (let i = 0; i < textureCount; i++) {
      const [id, w, h, , bytes] = new Uint32Array(this.memory.buffer, textures + 20 * i, 5);
      const size = new Float32Array(this.memory.buffer, textures + 20 * i, 5)[3];
      result.textures.push({ id, w, h, size, bytes: bytes ? copy(bytes, 4 * w * h) : null });
    }
    this.module._web_taken();
    return result;
  }
}

export class LuaError extends Error {}

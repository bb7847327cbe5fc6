// Links that hold a program: its name and the changed files, compressed, behind the #.

const through = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

function toText(bytes) {
  let text = "";
  bytes.forEach((byte) => { text += String.fromCharCode(byte); });
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

const toBytes = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

/** Returns the part of the link behind the #. */
export async function pack(name, changed) {
  if (Object.keys(changed).length === 0) {
    return name;
  }
  const bytes = new TextEncoder().encode(JSON.stringify(changed));
  return `${name}=${toText(await through(bytes, new CompressionStream("deflate-raw")))}`;
}

/** Returns {name, changed}. A damaged link has no changed files. */
export async function unpack(hash) {
  const [name, packed] = hash.replace(/^#/, "").split("=");
  const changed = {};
  try {
    if (packed) {
      const bytes = await through(toBytes(packed), new DecompressionStream("deflate-raw"));
      for (const [path, text] of Object.entries(JSON.parse(new TextDecoder().decode(bytes)))) {
        if (typeof text === "string") {
          changed[path] = text;
        }
      }
    }
  } catch (error) {
    return { name, changed: {}, isDamaged: true };
  }
  return { name, changed };
}

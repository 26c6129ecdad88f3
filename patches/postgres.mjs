// postgres.js 3.4.9 forgets, when a connection breaks, that a write may still be waiting for its turn: the
// process dies of it, or the connection never writes again (porsager/postgres #1208, open); nobody catches it
// when the connection breaks while it asks for its types; and what is copied out faster than it is read leaves the
// connection paused for ever, if the end comes meanwhile or nobody reads on. Until a release mends it, we do, after
// each install. docs/decisions/005 has the story.
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../node_modules/postgres/src/connection.js', import.meta.url)
const mends = [
  [
    `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)`,
    `    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)`,
  ],
  [
    `  function nextWrite(fn) {
    const x`,
    `  function nextWrite(fn) {
    if (socket === null) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options))
      return false
    }
    const x`,
  ],
  [
    `      order by b.oid
    \`], [], execute)
`,
    `      order by b.oid
    \`], [], execute).catch(() => [])
`,
  ],
  [
    `      read() { socket.resume() }
    })`,
    `      read() { socket.resume() },
      destroy(error, callback) {
        socket.resume()
        callback(error)
      }
    })`,
  ],
  [
    `    stream && (stream.push(x.subarray(5)) || socket.pause())`,
    `    stream && (stream.push(x.subarray(5)) || stream.destroyed || socket.pause())`,
  ],
  [
    `    stream && stream.push(null)
    stream = null
  }`,
    `    stream && stream.push(null)
    stream = null
    socket.resume()
  }`,
  ],
]

const found = readFileSync(file, 'utf8')
let text = found
for (const [broken, mended] of mends) {
  if (text.includes(mended)) continue
  if (!text.includes(broken))
    throw new Error('postgres.js has changed: is patches/postgres.mjs still needed?')
  text = text.replace(broken, mended)
}
if (text !== found) writeFileSync(file, text)

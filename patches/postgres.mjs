// postgres.js 3.4.9 forgets, when a connection breaks, that a write may still be waiting for its turn: the
// process dies of it, or the connection never writes again (porsager/postgres #1208, open); and nobody
// catches it when the connection breaks while it asks for its types. Until a release mends it, we do, after
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
]

let text = readFileSync(file, 'utf8')
for (const [broken, mended] of mends) {
  if (text.includes(mended)) continue
  if (!text.includes(broken))
    throw new Error('postgres.js has changed: is patches/postgres.mjs still needed?')
  text = text.replace(broken, mended)
}
writeFileSync(file, text)

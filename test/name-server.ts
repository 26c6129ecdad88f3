// A name server of our own, which answers for TXT records and nothing else: over UDP, as RFC 1035 has it.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export async function openNameServer() {
  const records = new Map<string, string[]>()
  const socket = createSocket('udp4')
  let broken = false
  socket.on('message', (query, { port, address }) => {
    socket.send(answerTo(query, broken ? undefined : records), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  return {
    address: `127.0.0.1:${port}`,
    /** The records under a name; nothing: there is no such name. */
    set: (name: string, ...texts: string[]) => void records.set(name, texts),
    /** Makes it answer that it can't answer. */
    break: () => void (broken = true),
    close: () => socket.close(),
  }
}

/** The question is kept as it came; each text follows in parts of at most 255 bytes. */
function answerTo(query: Buffer, records: Map<string, string[]> | undefined): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length))
    at += length + 1
  }
  const question = query.subarray(12, at + 5)
  const texts = records?.get(labels.join('.').toLowerCase()) ?? []
  const answers = texts.map(recordOf)
  const code = !records ? 2 : answers.length > 0 ? 0 : 3
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 + code, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(answers.length, 6)
  return Buffer.concat([head, question, ...answers])
}

function recordOf(text: string): Buffer {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let from = 0; from < bytes.length; from += 255) {
    const part = bytes.subarray(from, from + 255)
    parts.push(Buffer.from([part.length]), part)
  }
  const data = Buffer.concat(parts)
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

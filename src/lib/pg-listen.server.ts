// LISTEN on a connection of its own. One that breaks is replaced; as notifications sent meanwhile are lost, `missed` is
// called instead.
import { setTimeout as pause } from 'node:timers/promises'
import { Connection, type Options } from './connection.server.ts'

export type Subscription = { unlisten: () => Promise<void> }

const retry_ms = 500

export async function listen(
  url: string,
  options: Options,
  channel: string,
  onPayload: (payload: string) => void,
  missed: () => void,
): Promise<Subscription> {
  const ending = new AbortController()
  const again = async () => {
    while (!ending.signal.aborted) {
      try {
        connection = await listening()
        missed()
        return
      } catch {
        await pause(retry_ms, undefined, { signal: ending.signal }).catch(() => {})
      }
    }
  }
  async function listening() {
    let held = false
    const one = new Connection(url, options, () => held && void again())
    one.onNotification(onPayload)
    const { tx } = one
    await tx`listen ${tx(channel)}`
    held = true
    if (ending.signal.aborted) await one.close()
    return one
  }
  let connection = await listening()
  return {
    async unlisten() {
      ending.abort()
      await connection.close()
    },
  }
}

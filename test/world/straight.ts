// Straight SQL as the login that requests use, as anybody or as nobody, with a stranger of another company beside.
import type { Tx } from '#lib/db.server.ts'
import { openScene } from './scene.ts'

export async function openStraight() {
  const scene = await openScene()
  const ana = await (await scene.company()).hire('Ana')
  const stranger = await (await scene.company({ name: 'Other' })).hire('Stranger')
  return {
    scene,
    sql: scene.services.sql.request,
    ana,
    stranger,
    as: scene.straight,
    asAna: <T>(work: (tx: Tx) => Promise<T>) => scene.straight(ana, work),
    close: () => scene.close(),
  }
}

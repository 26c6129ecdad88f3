// Straight SQL as the login that requests use, as an employee or as nobody, with a stranger of another company beside.
import { connect, type Tx } from '#lib/db.server.ts'
import { urlFor } from '#lib/migrate.server.ts'
import { Transactions } from '#lib/transactions.server.ts'
import { callerOf, openScene } from './scene.ts'

export async function openStraight() {
  const scene = await openScene()
  const ana = await (await scene.company()).hire('Ana')
  const stranger = await (await scene.company({ name: 'Other' })).hire('Stranger')
  const sql = connect(urlFor('healthfund_request', scene.database_url), { max: 2 })
  return {
    scene,
    sql,
    ana,
    stranger,
    asAna: <T>(work: (tx: Tx) => Promise<T>) =>
      new Transactions({ sql, actorOf: (stamp) => stamp, visitor: '' })
        .run(callerOf(ana), (tx) => work(tx))
        .then(({ answer }) => answer),
    close: async () => {
      await sql.end()
      await scene.close()
    },
  }
}

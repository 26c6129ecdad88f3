// Straight SQL as the login that requests use, as anybody or as nobody, with a stranger of another company beside.
import { connect, type Tx } from '#lib/db.server.ts'
import { urlFor } from '#lib/migrate.server.ts'
import { Transactions } from '#lib/transactions.server.ts'
import { callerOf, openScene, type Person, type Scene } from './scene.ts'

/** The login of requests on this scene's database, and each statement as one of its people. */
export function straightSql(scene: Scene) {
  const sql = connect(urlFor('healthfund_request', scene.database_url), { max: 2 })
  const transactions = new Transactions({ sql, actorOf: (stamp) => stamp, visitor: '' })
  const as = <T>(person: Person, work: (tx: Tx) => Promise<T>) =>
    transactions.run(callerOf(person), (tx) => work(tx)).then(({ answer }) => answer)
  return { sql, as }
}

export async function openStraight() {
  const scene = await openScene()
  const ana = await (await scene.company()).hire('Ana')
  const stranger = await (await scene.company({ name: 'Other' })).hire('Stranger')
  const { sql, as } = straightSql(scene)
  return {
    scene,
    sql,
    ana,
    stranger,
    as,
    asAna: <T>(work: (tx: Tx) => Promise<T>) => as(ana, work),
    close: async () => {
      await sql.end()
      await scene.close()
    },
  }
}

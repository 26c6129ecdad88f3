import { connect } from '#lib/db.server.ts'
import { openStage } from './stage.ts'
import { openWorld } from './world.ts'
const stage = await openStage()
const sql = connect(stage.url, { max: 1 })
try {
  const world = await openWorld(stage, sql, { companies: 1, people: 200, signed: 50, name: 'x' })
  const c = world.companies[0]!
  const session = async (id: string) => (await sql`select id from auth.sessions where user_id = ${id}`)[0]!.id
  const p = c.people[0]!
  const s = await session(p.id)
  const time = async (name: string, n: number, stmt: string) => {
    await sql`begin`
    await sql`select become(${p.id}, ${s})`
    await sql.unsafe(`do $$ declare r record; begin for i in 1..20 loop ${stmt}; end loop; end $$`)
    const t = performance.now()
    await sql.unsafe(`do $$ declare r record; begin for i in 1..${n} loop ${stmt}; end loop; end $$`)
    console.log(name.padEnd(40), ((performance.now() - t) / n * 1000).toFixed(0), 'µs')
    await sql`rollback`
  }
  const facts = (locks: boolean) => `perform claim_facts('treatment', null, '${c.type_id}', current_date, 50, 'Harbour Clinic', '{}', ${locks})`
  const trace = JSON.stringify({automatic:false,unread:false,agreed:false,drawn:50,suspicion:0,trace:Array.from({length:14},(_, at)=>({rule:`What has to be so, number ${at}`,says:'What was found, in a sentence of the usual length',outcome:'fine',facts:{amount_cents:10,left_cents:70000}}))})
  const submit = `perform from submit_claim('treatment', null, '${c.type_id}', 'GP', null, 'Harbour Clinic', current_date, '${c.plan_year}', 50, 1, null, '{}', 1, '${trace}')`
  await time('actor()', 2000, `perform actor()`)
  await time('become', 1000, `perform become('${p.id}', '${s}')`)
  await time('claim_facts', 1000, facts(false))
  await time('claim_facts locked', 1000, facts(true))
  await time('submit_claim', 500, submit)
  await time('hold only', 500, `perform wall.move_claim('${c.id}', '${c.plan_year}', '${p.id}', 'treatment', 'available', 'held', 1, 'claim_held', 'x '||clock_timestamp()::text)`)
  await time('tell', 500, `perform tell('person:${p.id}')`)
  await time('review_due', 500, `perform wall.review_due('${c.id}', 1, 0)`)
  for (const trig of ['audit', 'count_it']) {
    await sql.unsafe(`alter table claims disable trigger ${trig}`)
    await time('submit without ' + trig, 500, submit)
    await sql.unsafe(`alter table claims enable trigger ${trig}`)
  }
  await sql.unsafe('alter table claim_events drop constraint claim_events_company_id_claim_id_fkey')
  await time('submit without event fk', 500, submit)
  await sql.unsafe('alter table claims drop constraint claims_company_id_person_id_fkey')
  await time('submit without claims fk', 500, submit)
  await sql.unsafe('alter table transfers drop constraint plan_year_has_money')
  await time('submit without transfers fk 1', 500, submit)
  for (const i of ['claims_by_amount', 'claims_due', 'claims_in_queue']) { await sql.unsafe(`drop index ${i}`); await time('without ' + i, 500, submit) }
} finally { await sql.end(); await stage.close() }

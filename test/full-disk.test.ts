// A disk that fills while people claim: what was acknowledged is there, what was refused left nothing, and work
// goes on when there is room again. The tables and files lie on a file system of a few megabytes.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chown, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect } from '#lib/db.server.ts'
import { toProblem } from '#lib/failures.server.ts'
import { isRoot, unprivilegedUser } from '#lib/unprivileged.server.ts'
import { fundedCompany, type FundedCompany } from './world/company.ts'
import { pharmacy, receiptPdf } from './world/papers.ts'
import { aKey, type Person } from './world/people.ts'
import { openScene, type Scene } from './world/scene.ts'
import { superuserUrl } from './database.ts'

const size = '64m'
const disk = `full_disk_${process.pid}`

/** Why it cannot be played here; nothing where it can. */
function whyNot(): string | undefined {
  if (process.env.DATABASE_URL) return 'the PostgreSQL is a given one'
  return isRoot() ? undefined : 'only root makes a file system of a few megabytes'
}

/** Two folders on small file systems of their own, for tables and for files. */
async function smallDisks() {
  const folder = await mkdtemp(path.join(tmpdir(), 'healthfund-full-'))
  execFileSync('chmod', ['711', folder])
  const [tables, files] = [path.join(folder, 'tables'), path.join(folder, 'files')]
  for (const place of [tables, files]) {
    execFileSync('mkdir', [place])
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', place])
  }
  const { uid, gid } = await unprivilegedUser()
  await chown(tables, uid, gid)
  return {
    tables,
    files,
    async gone() {
      for (const place of [tables, files]) execFileSync('umount', [place])
      await rm(folder, { recursive: true })
    },
  }
}

const ballast = (place: string) => path.join(place, 'ballast')

/** Fills a disk until no more than this many bytes are free. */
async function fill(place: string, left: number) {
  const { bavail, bsize } = await statfs(place)
  await writeFile(ballast(place), Buffer.alloc(bavail * bsize - left))
}

const why_not = whyNot()
if (why_not) console.log(`NOT PLAYED on a small disk: ${why_not}`)
else describe('a disk that is full', played)

test('PostgreSQL’s word for a full disk is a problem of its own, to try again', () => {
  assert.equal(toProblem({ code: '53100' }).code, 'storage_full')
})

function played() {
  let disks: Awaited<ReturnType<typeof smallDisks>>
  let scene: Scene
  let acme: FundedCompany
  let people: Person[]
  const asSuperuser = async (statement: string, database?: string) => {
    const sql = connect(superuserUrl(scene.database_url, database), { max: 1 })
    try {
      await sql.unsafe(statement)
    } finally {
      await sql.end()
    }
  }
  before(async () => {
    disks = await smallDisks()
    scene = await openScene({ env: { DATA_FOLDER: disks.files } })
    acme = await fundedCompany(scene)
    people = await Promise.all(['Ana', 'Ben', 'Cara'].map((name) => acme.hire(name)))
    await asSuperuser(`create tablespace ${disk} location '${disks.tables}'`)
    await asSuperuser(`grant create on tablespace ${disk} to public`)
    for (const kind of ['table', 'index'])
      await scene.sql.unsafe(
        `alter ${kind} all in tablespace pg_default owned by current_user set tablespace ${disk}`,
      )
  })
  after(async () => {
    await scene.close()
    await asSuperuser(`drop tablespace ${disk}`, 'postgres')
    await disks.gone()
  })

  const claim = async (person: Person, key: string) => {
    const draft = await acme.draft({ amount_cents: 2000 })
    return person.api.claims.submit(draft, { idempotency_key: key })
  }
  const numbers = async () => {
    const found = await scene.sql<{ id: number }[]>`
      select id from claims where company_id = ${acme.id} order by id`
    return found.map(({ id }) => id)
  }
  const inOrder = async () => {
    assert.deepEqual(await acme.faults(), [])
    const { audit, funds } = acme.company.admin.api
    const [record, ledger] = [await audit.verify({}), await funds.verify({})]
    assert.ok(record.good, record.sentence)
    assert.ok(ledger.good, ledger.sentence)
  }

  test('refuses with its sentence, keeps what it acknowledged, and goes on when there is room', async () => {
    await fill(disks.tables, 1024 ** 2)
    const acknowledged: number[] = []
    const refused: { person: Person; key: string }[] = []
    for (let round = 0; refused.length < 9; round += 1) {
      assert.ok(round < 500, 'the disk is full at last')
      await Promise.all(
        people.map(async (person) => {
          const key = aKey()
          await claim(person, key).then(
            ({ id }) => acknowledged.push(id),
            (error: { code: string }) => {
              assert.equal(error.code, 'storage_full')
              refused.push({ person, key })
            },
          )
        }),
      )
    }
    assert.deepEqual(
      await numbers(),
      acknowledged.toSorted((a, b) => a - b),
    )
    assert.ok(acknowledged.length > 0, 'some came in before it was full')
    assert.ok((await people[0]!.api.claims.mine({})).claims.length > 0, 'reading goes on')
    await rm(ballast(disks.tables))
    for (const { person, key } of refused) acknowledged.push((await claim(person, key)).id)
    assert.deepEqual(
      await numbers(),
      acknowledged.toSorted((a, b) => a - b),
    )
    await inOrder()
  })

  test('takes no receipt and leaves nothing of it; afterwards it does', async () => {
    const [ana] = people as [Person]
    const send = async () => {
      const file = new Blob([new Uint8Array(await receiptPdf(pharmacy))])
      return ana.api.receipts.upload({ file_name: 'Pharmacy.pdf' }, { file })
    }
    const { id } = await send()
    await fill(disks.files, 0)
    await assert.rejects(send(), { code: 'storage_full' })
    const kept = await scene.sql<{ id: string }[]>`
      select id from receipts where person_id = ${ana.id}`
    assert.deepEqual([...kept], [{ id }])
    assert.ok((await (await ana.api.receipts.file({ id })).arrayBuffer()).byteLength > 0)
    await rm(ballast(disks.files))
    assert.notEqual((await send()).id, id)
    await inOrder()
  })
}

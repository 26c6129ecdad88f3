// Parts of a receipt are blacked out by whose it is: their pixels and letters are gone, and so is the file as it was.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import sharp from 'sharp'
import type { Files } from '#lib/files.server.ts'
import { Problem } from '#problems.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { pharmacy, receiptPaper, receiptPdf } from '../../test/world/papers.ts'
import { callerOf, refuses, type Person } from '../../test/world/people.ts'
import {
  blackOutParts,
  bytesOfFile,
  fileOf,
  lightestPixel,
  lineOf,
  matchIn,
  pagePart,
  pictureOf,
  send,
  sendReceipt,
  storageOf,
  textOfPdf,
  type ReceiptStorage,
} from '../../test/world/receipts.ts'
import { withRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'
import { withPdf } from './pdf.server.ts'

const scene = openedScene({ worker: true })
let stage: FundedCompany
let pdf: Buffer<ArrayBuffer>
let ana: Person
let storage: ReceiptStorage
let files: Files
before(async () => {
  files = scene.services.files
  stage = await fundedCompany(scene)
  pdf = Buffer.from(await receiptPdf(pharmacy))
  ana = await stage.hire('Ana')
  storage = storageOf(scene)
})

describe('a receipt of which parts are blacked out', () => {
  test('as a PDF: the page is a picture, its letters are gone; the other pages keep theirs', async () => {
    const three = Buffer.from(await receiptPdf(pharmacy, { pages: 3, seed: 'Diagnosis F32' }))
    const receipt = await sendReceipt(ana, three)
    const was = await storage.placeOf(receipt)
    const covered = { page: 2, left: 0.05, top: 0.3, width: 0.9, height: 0.4 }
    const black = await blackOutParts(ana, receipt, [covered])
    const { blacked_times, media_type, pages } = black
    assert.deepEqual([blacked_times, media_type, pages], [1, 'application/pdf', 3])
    const file = await fileOf(ana, black)
    const text = await textOfPdf(file)
    assert.equal(text[2], undefined)
    assert.match(text[1]!, /Diagnosis F32/)
    assert.match(text[3]!, /TOTAL/)
    const pictures = [1, 2, 3].map((page) =>
      bytesOfFile(ana.api.receipts.thumbnail({ id: black.id, size: 'large', page })),
    )
    assert.ok((await lightestPixel(await pictures[1]!, covered)) < 12)
    assert.ok((await lightestPixel(await pictures[0]!, covered)) > 200)
    const drawn = await withPdf(file, async (open) => {
      const page = await open.getPage(1).render({ scale: 2 })
      const raw = { width: page.width, height: page.height, channels: 4 as const }
      return sharp(page.data, { raw }).removeAlpha().png().toBuffer()
    })
    assert.ok((await lightestPixel(drawn, covered)) < 12)
    assert.ok(!(await storage.stored()).includes(was), 'the file as it was is gone at once')
    await storage.isWhole()
  })

  test('as a photo: black in file and pictures, twice if need be, and still without metadata', async () => {
    const photo = sharp(await receiptPaper(pharmacy, 4)).withExifMerge({ IFD0: { Artist: 'Ana' } })
    const receipt = await sendReceipt(ana, Buffer.from(await photo.jpeg().toBuffer()), 'IMG_1.jpg')
    const once = await blackOutParts(ana, receipt, [pagePart(0.4, 0.1)])
    const twice = await blackOutParts(ana, once, [pagePart(0.7, 0.05)])
    assert.deepEqual([twice.blacked_times, twice.media_type], [2, 'image/jpeg'])
    const file = await fileOf(ana, twice)
    const { exif, icc, xmp, width, height } = await sharp(file).metadata()
    assert.deepEqual([exif, icc, xmp], [undefined, undefined, undefined])
    assert.deepEqual([width, height], [receipt.width, receipt.height])
    const { thumbnail } = ana.api.receipts
    const small = await bytesOfFile(thumbnail({ id: twice.id }))
    const large = await bytesOfFile(thumbnail({ id: twice.id, size: 'large' }))
    for (const picture of [file, small, large]) {
      for (const covered of [pagePart(0.4, 0.1), pagePart(0.7, 0.05)]) {
        assert.ok((await lightestPixel(picture, covered)) < 24)
      }
      assert.ok((await lightestPixel(picture, pagePart(0.55, 0.1))) > 100)
    }
    await storage.isWhole()
  })

  test('shows nobody what was read there, and is still compared with it', async () => {
    const day = stage.today.split('-').toReversed().join('/')
    const lines = ['City Pharmacy', `Date: ${day}`, 'Tablets 46.40', 'TOTAL EUR 46.40']
    const one = await receiptPdf(lines)
    const another = (seed: string) => receiptPdf(lines, { seed })
    const claimed = async (person: Person, file: Buffer, claim_input: object) => {
      const receipt = await sendReceipt(person, Buffer.from(file))
      assert.equal(receipt.read_provider, 'City Pharmacy')
      const lines = (['amount', 'on', 'provider'] as const).map((read) => lineOf(receipt, read))
      const black = await blackOutParts(person, receipt, lines)
      const draft = await stage.draft({
        amount_cents: 4640,
        provider: 'CITY Pharmacy Ltd',
        ...claim_input,
      })
      const claim = await person.api.claims.submit({ ...draft, receipt_ids: [black.id] })
      return { black, found: await stage.company.admin.api.review.find({ id: claim.id }) }
    }
    const { black, found } = await claimed(ana, one, {})
    const { read_amount_cents, read_currency, read_on, read_provider, read_marks } = black
    const left = [read_amount_cents, read_currency, read_on, read_provider, read_marks]
    assert.deepEqual(left, [null, null, null, null, {}])
    assert.deepEqual(black.blacked_reads, ['amount', 'on', 'provider'])
    assert.deepEqual(matchIn(found), ['agrees', null, null])
    assert.deepEqual(
      found.receipts_list.map(({ blacked_times, blacked_reads }) => [blacked_times, blacked_reads]),
      [[1, ['amount', 'on', 'provider']]],
    )
    const [row] = await scene.sql<[{ all: string }]>`
      select concat(to_jsonb(r), (select string_agg(concat(l.before, l.after), ' ') from audit_log l
        where l.table_name = 'receipts')) as all from receipts r where id = ${black.id}`
    assert.doesNotMatch(row.all, /pharmacy|"unseen".*"unseen"/i)
    const straight = scene.services.transactions.run(
      callerOf(ana),
      (tx) => tx`select unseen from receipts`,
    )
    await assert.rejects(straight, { code: '42501' })

    const ben = await stage.hire('Ben')
    const other = await claimed(ben, await another('Till 2'), { amount_cents: 4700 })
    assert.deepEqual(matchIn(other.found), ['other_amount', null, null])
    assert.doesNotMatch(JSON.stringify(other.found), /46\.?40\b|City/)
    const named = await claimed(await stage.hire('Cem'), await another('Till 3'), {
      provider: 'Harbour Clinic',
    })
    assert.deepEqual(matchIn(named.found), ['other_provider', null, null])
    const copied = await claimed(await stage.hire('Dora'), one, {})
    assert.ok(copied.found.duplicates.some((d) => d.kind === 'same_file' && d.score === 100))
  })

  test('keeps what was read elsewhere on it', async () => {
    const receipt = await sendReceipt(ana, pdf)
    const black = await blackOutParts(ana, receipt, [lineOf(receipt, 'provider')])
    assert.deepEqual(
      [black.read_amount_cents, black.read_on, black.read_provider, black.blacked_reads],
      [4640, '2026-03-14', null, ['provider']],
    )
    assert.deepEqual(Object.keys(black.read_marks).toSorted(), ['amount', 'on'])
  })

  test('stays restricted where the company restricts its receipts', async () => {
    const { settings } = stage.company.admin.api
    await settings.change_company({ receipts_restricted: true })
    try {
      const eli = await stage.hire('Eli')
      const black = await blackOutParts(eli, await sendReceipt(eli, pdf), [pagePart(0.4, 0.1)])
      assert.equal(black.restricted, true)
      const { id } = await stage.claim(eli, { receipt_ids: [black.id] })
      const allowed = await withRights(scene, stage.company, 'reviewer', 'receipts')
      assert.deepEqual((await allowed.api.review.find({ id })).receipts_list, [])
      const opened = await allowed.api.review.open_receipts({ id, purpose: 'A second look' })
      assert.equal(opened.receipts_list[0]?.blacked_times, 1)
      assert.ok((await lightestPixel(await pictureOf(allowed, black), pagePart(0.4, 0.1))) < 12)
    } finally {
      await settings.change_company({ receipts_restricted: false })
    }
  })
})

describe('blacking out', () => {
  const parts = [pagePart(0.4, 0.1)]

  test('is refused to everybody else', async () => {
    const receipt = await sendReceipt(ana, pdf)
    const stranger = await (await scene.company()).hire()
    const colleague = await stage.hire()
    await refuses('not_found', blackOutParts(stranger, receipt, parts))
    await refuses('not_found', blackOutParts(colleague, receipt, parts))
    await refuses('forbidden', blackOutParts(stage.company.admin, receipt, parts))
    const straight = (statement: string) =>
      scene.services.transactions.run(callerOf(colleague), (tx) => tx.unsafe(statement))
    const open = straight(`select * from open_blacking('${receipt.id}', 0)`)
    await assert.rejects(open, { message: 'not_found' })
    const keep = straight(`select keep_blacking('${receipt.id}', '{"blacked_times": 0}')`)
    await assert.rejects(keep, { message: 'not_found' })
    assert.deepEqual(await ana.api.receipts.find({ id: receipt.id }), receipt)
  })

  test('is refused of a receipt that a claim has, and of one used again', async () => {
    const fay = await stage.hire('Fay')
    const receipt = await sendReceipt(fay, pdf)
    const claim = await stage.claim(fay, { receipt_ids: [receipt.id] })
    await refuses('receipt_in_claim', blackOutParts(fay, receipt, parts))
    const { version } = await stage.company.admin.api.review.find({ id: claim.id })
    const no = { id: claim.id, version, reason: 'not_covered', text: 'Not covered' } as const
    await stage.company.admin.api.review.reject(no)
    const [again] = await fay.api.receipts.reuse({ ids: [receipt.id] })
    assert.equal(again?.refusals.black_out, 'receipt_in_claim')
    await refuses('receipt_in_claim', blackOutParts(fay, again, parts))
  })

  test('waits for the reading, and is refused of a file that is still on its way', async () => {
    const receipt = await sendReceipt(ana, pdf)
    await scene.sql`update receipts set read_state = 'waiting' where id = ${receipt.id}`
    await refuses('receipt_being_read', blackOutParts(ana, receipt, parts))
    await scene.sql`update receipts set read_state = 'read' where id = ${receipt.id}`
    const put = files.put
    const on_its_way = new Promise<string>((resolve) => {
      files.put = async (key, all) => {
        const id = key.split('/')[2]!
        files.put = put
        await refuses('not_found', ana.api.receipts.black_out({ id, blacked_times: 0, parts }))
        resolve(id)
        return put(key, all)
      }
    })
    const { id } = await send(ana, pdf)
    assert.equal(await on_its_way, id)
  })

  test('takes parts that are on a page of it, large enough, and no more than fifty', async () => {
    const receipt = await sendReceipt(ana, pdf)
    const many = Array.from({ length: 51 }, () => pagePart(0.4, 0.1))
    const ill = [[], many, [pagePart(0.4, 0.001)], [pagePart(-0.1, 0.1)], [pagePart(0.1, 0.1, 21)]]
    for (const areas of ill) await refuses('invalid_input', blackOutParts(ana, receipt, areas))
    const other_part = { ...pagePart(0.1, 0.1), left: 0.5 }
    for (const off of [pagePart(0.95, 0.1), pagePart(0.1, 0.1, 2), other_part]) {
      await refuses('blacked_off_page', blackOutParts(ana, receipt, [...parts, off]))
    }
    assert.deepEqual(await ana.api.receipts.find({ id: receipt.id }), receipt)
    await storage.isWhole()
  })

  test('is done once, however often the same is sent', async () => {
    const receipt = await sendReceipt(ana, pdf)
    const all = await Promise.allSettled([1, 2, 3].map(() => blackOutParts(ana, receipt, parts)))
    const codes = all.flatMap((one) =>
      one.status === 'rejected' ? [(one.reason as Problem).code] : [],
    )
    assert.deepEqual(codes, ['receipt_blacked_meanwhile', 'receipt_blacked_meanwhile'])
    await refuses('receipt_blacked_meanwhile', blackOutParts(ana, receipt, parts))
    await storage.isWhole()
  })

  test('and sending it at the same moment leave one of both: nothing is black in a claim that was not so when sent', async () => {
    const gil = await stage.hire('Gil')
    const receipt = await sendReceipt(gil, pdf)
    const put = files.put
    files.put = async (key, all) => {
      files.put = put
      await stage.claim(gil, { receipt_ids: [receipt.id] })
      return put(key, all)
    }
    const was = await storage.placeOf(receipt)
    await refuses('receipt_in_claim', blackOutParts(gil, receipt, parts))
    assert.equal(await storage.placeOf(receipt), was)
    assert.match((await textOfPdf(await fileOf(gil, receipt)))[1]!, /TOTAL/)
    await storage.isWhole()
  })

  test('that is cut short leaves the receipt as it was or blacked out, and one file of it', async () => {
    const hal = await stage.hire('Hal')
    const receipt = await sendReceipt(hal, pdf)
    const { put, remove } = files
    // The write fails before the new file is complete.
    files.put = () => Promise.reject(new Problem('storage_full'))
    await refuses('storage_full', blackOutParts(hal, receipt, parts))
    // The write fails after the file is complete, and before its receipt names it: only the sweep can remove it.
    let dead = ''
    files.put = async (key, all) => {
      await put(key, all)
      dead = key
      await scene.sql`update private.leftover_files set storage_key = ${`${key}-`}
        where storage_key = ${key}`
      throw new Problem('unavailable')
    }
    await refuses('unavailable', blackOutParts(hal, receipt, parts))
    files.put = put
    assert.deepEqual(await hal.api.receipts.find({ id: receipt.id }), receipt)
    await scene.sql`update private.leftover_files set storage_key = ${dead}, due_at = now()
      where storage_key = ${`${dead}-`}`
    await storage.isWhole()
    // The old file can't be removed after the receipt names the new one: it is left, and swept.
    const was = await storage.placeOf(receipt)
    files.remove = () => Promise.reject(new Problem('storage_away'))
    assert.equal((await blackOutParts(hal, receipt, parts)).blacked_times, 1)
    files.remove = remove
    await storage.isWhole()
    assert.ok(!(await storage.stored()).includes(was))
  })
})

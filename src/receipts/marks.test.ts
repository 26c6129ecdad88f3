// Values read are marked where they stand: on a PDF, on a picture that lies on its side, on a photo askew.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import sharp from 'sharp'
import { pharmacy, receiptPaper, receiptPdf, receiptPhoto } from '../../test/world/papers.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { until } from '../../test/until.ts'
import { boxAround, placeOnPaper } from './placing.ts'
import type { ReadMarks, Spot } from './marks.contract.ts'

type Point = [x: number, y: number]
type Way = (point: Point) => Point
type Marks = Record<keyof ReadMarks, Spot>

describe('what was read of a receipt', () => {
  const scene = openedScene({ worker: true })
  let ana: Person
  let on_pdf: Marks
  before(async () => {
    ana = await (await scene.company()).hire('Ana')
    on_pdf = await marksOn(await receiptPdf(pharmacy), 'bill.pdf')
  })

  async function marksOn(file: Buffer, file_name: string) {
    const bytes = new Blob([Uint8Array.from(file)])
    const { id } = await ana.api.receipts.upload({ file_name }, { file: bytes })
    const read = await until(async () => {
      const found = await ana.api.receipts.find({ id })
      return found.read_state === 'read' && found
    }, 'its reading')
    assert.equal(read.read_amount_cents, 4640)
    assert.equal(read.read_on, '2026-03-14')
    return read.read_marks as Marks
  }

  /** The place of a PDF's line on a picture of it, whichever way the paper went into that. */
  function stand(found: Marks, way: Way) {
    for (const name of ['amount', 'on', 'provider'] as const) {
      const { page, left, top, width, height } = on_pdf[name]
      const corners: Point[] = [
        [left, top],
        [left + width, top],
        [left, top + height],
        [left + width, top + height],
      ]
      const expected = boxAround(corners.map(way), page)
      for (const side of ['page', 'left', 'top', 'width', 'height'] as const)
        assert.ok(
          Math.abs(found[name][side] - expected[side]) < 0.03,
          `${name}: ${JSON.stringify(found[name])} and not ${JSON.stringify(expected)}`,
        )
    }
  }

  test('is marked on a PDF by its letters: the name on top, the day below it, then the total', () => {
    const { provider, on, amount } = on_pdf
    assert.ok(provider.top > 0.04 && provider.top < on.top && on.top < amount.top)
    for (const { left, width, height } of [provider, on, amount]) {
      assert.ok(left > 0.07 && left < 0.1, `the margin is 24 of 300, and not ${left}`)
      assert.ok(width > 0.4 && height > 0.01 && height < 0.05)
    }
  })

  test('is marked on a picture whose camera did not know which way was up', async () => {
    const sideways = await sharp(await receiptPaper(pharmacy, 4))
      .rotate(90)
      .jpeg()
      .toBuffer()
    stand(await marksOn(sideways, 'sideways.jpg'), ([x, y]) => [1 - y, x])
  })

  test('is marked on a photo of a paper that lies askew on a table', async () => {
    const [width, height, angle] = [3024, 4032, (3 * Math.PI) / 180]
    const paper = Math.min((width * 0.66) / 300, (height * 0.8) / 480)
    stand(await marksOn(await receiptPhoto(pharmacy), 'photo.jpg'), ([x, y]) => {
      const [dx, dy] = [(x - 0.5) * 300 * paper, (y - 0.5) * 480 * paper]
      return [
        (dx * Math.cos(angle) - dy * Math.sin(angle)) / width + 0.5,
        (dx * Math.sin(angle) + dy * Math.cos(angle)) / height + 0.5,
      ]
    })
  })
})

test('a line keeps within its page, whatever a reader says of it', () => {
  const box = { x0: -20, y0: -20, x1: 4000, y1: 5000 }
  const size = { width: 1400, height: 2000 }
  assert.deepEqual(placeOnPaper(box, size, { skew: 0, angle: 0, page: 2 }), {
    page: 2,
    left: 0,
    top: 0,
    width: 1,
    height: 1,
  })
})

// The repository tests itself: what may import what.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  unlikeExceptions,
  common,
  features,
  files,
  importsOf,
  read,
  source_files,
  target,
} from './sources.ts'

/** Parts of a feature that any other may have on its pages. */
const for_all = [
  '#auth/PasswordDialog.tsx', // an act wants a proof of who it is
  '#auth/ProvenForm.tsx', // the same, among other fields
  '#auth/session.ts', // who is signed in
  '#claims/rules/my-limits.ts', // what is left of one's money is told with the limits that it is under
  '#views/SavedViews.tsx', // a list keeps its filters under names
]

/** Imports across features, each with its reason. */
const allowed = [
  // a statement is drawn as reports are, in one way
  'src/funds/my-money/my-paper.server.ts imports #reports/document.ts',
  // what was brought back is proven before anybody relies on it
  'src/backups/restore.server.ts imports #funds/ledger/verify.server.ts',
  'src/backups/drill.server.ts imports #audit/verify.server.ts',
  // a reviewer who pays, too, sees beside a claim what keeps it out of payouts
  'src/claims/review/ReviewPanel.tsx imports #payouts/ClaimBlocks.tsx',
]

describe('imports', () => {
  test('of a feature others import its contract, and the parts that are listed', () => {
    const crossings = source_files.flatMap((file) => {
      const [, folder = '', within] = file.split('/')
      if (!within || !(features.has(folder) || common.has(folder)) || file.endsWith('.test.ts'))
        return []
      return importsOf(file)
        .filter((from) => {
          const [, other = ''] = /^#([\w-]+)\//.exec(from) ?? []
          return features.has(other) && other !== folder && !from.endsWith('.contract.ts')
        })
        .map((from) => (for_all.includes(from) ? from : `${file} imports ${from}`))
    })
    assert.deepEqual(unlikeExceptions(crossings, [...for_all, ...allowed]), [])
  })

  test('one form asks who it is, so that whoever has no password is asked another way', () => {
    const asking = /\bconfirmPassword\b|label="Your password"/
    const found = source_files.filter((file) => file.endsWith('.tsx') && asking.test(read(file)))
    assert.deepEqual(found, ['src/auth/ProvenForm.tsx'])
  })

  test('lib and ui import each other alone, and files of the root', () => {
    const wrong = source_files
      .filter((file) => /^src\/(lib|ui)\//.test(file) && !file.endsWith('.test.ts'))
      .flatMap((file) =>
        importsOf(file)
          .filter((from) => /^#(?!lib\/|ui\/)[\w-]+\//.test(from))
          .map((from) => `${file} imports ${from}`),
      )
    assert.deepEqual(wrong, [])
  })

  test('the browser’s files import no server file', () => {
    const of_browser = source_files.filter((file) =>
      /\.tsx$|contract\.ts$|^src\/api\/|session\.ts$/.test(file),
    )
    for (const file of of_browser) {
      const wrong = importsOf(file).filter((from) => /\.server\.ts$|^node:/.test(from))
      assert.deepEqual(wrong, [], file)
    }
  })
})

describe('files', () => {
  test('import each other in one direction, types counted', () => {
    const others = ['test', 'demo', 'bench'].flatMap((folder) => files(folder, /\.ts$/))
    const all = [...source_files, ...others].filter((file) => !file.endsWith('.test.ts'))
    const done = new Set<string>()
    const visit = (file: string, above: readonly string[]): string[] => {
      if (above.includes(file)) return [[...above.slice(above.indexOf(file)), file].join(' → ')]
      if (done.has(file) || !all.includes(file)) return []
      const below = importsOf(file, / from /).flatMap((from) =>
        visit(target(file, from), [...above, file]),
      )
      done.add(file)
      return below
    }
    assert.deepEqual(
      all.flatMap((file) => visit(file, [])),
      [],
    )
  })
})

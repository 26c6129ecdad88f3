// Rows that were not taken: a file to fix and upload again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuses } from '../../../test/world/people.ts'
import { opened } from '../../../test/world/opened.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { until } from '../../../test/until.ts'
import { import_limits } from './imports.contract.ts'

const scene = openedScene({ worker: true })
const acme = opened(() => scene.company({ name: 'Acme' }))

const upload = (text: string) =>
  acme.admin.api.imports.upload({ file_name: 'people.csv' }, { file: new Blob([text]) })

test('a file of more rows than one may have is not shown, and says how many it may have', async () => {
  const file = new Blob(['Name,Email\n', 'a,b\n'.repeat(import_limits.rows + 1)])
  await refuses('csv_too_many_rows', acme.admin.api.imports.look({}, { file }))
})

test('what was typed in a row is in it still: once it is fixed nothing of it is lost', async () => {
  const { imports, employees } = acme.admin.api
  const { id } = await upload(
    'Name;Email;Department;Personnel number;First day;Last day\n' +
      'Ana Horvat;ana at work;Sales;007;2020-01-06;2199-12-31\n',
  )
  const rejected = await (await imports.rejected({ id })).text()
  const again = await upload(rejected.replace('ana at work', `ana@${acme.domain}`))
  assert.equal(again.fresh, 1)
  await imports.start({ id: again.id })
  await until(async () => (await imports.find({ id: again.id })).status === 'done', 'it is done')
  const [ana] = (await employees.list({})).employees
  assert.deepEqual(
    [ana?.full_name, ana?.department, ana?.personnel_number, ana?.joined_on, ana?.left_on],
    ['Ana Horvat', 'Sales', '007', '2020-01-06', '2199-12-31'],
  )
})

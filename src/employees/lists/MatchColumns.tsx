import { GitCompareArrows } from 'lucide-react'
import { useId, useState } from 'react'
import type { z } from 'zod'
import { Problem } from '#problems.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Choice } from '#ui/Choice.tsx'
import { Fault } from '#ui/Field.tsx'
import { showFailure } from '#ui/failure.ts'
import { counted } from '#ui/figures.ts'
import { Select } from '#ui/SelectField.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { columnsFault, fieldLabels, plainHeading } from '#employees/imports/columns.ts'
import {
  encodings,
  list_fields,
  type ColumnField,
  type imports,
  type Encoding,
  type Reading,
} from '#employees/imports/imports.contract.ts'

export type FilePreview = z.infer<(typeof imports)['look']['output']>

export const encodingLabels: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Western European (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'utf-16le': 'Unicode text (UTF-16)',
  'utf-16be': 'Unicode text (UTF-16 BE)',
}

type Props = {
  file: File
  preview: FilePreview
  onEncoding: (encoding: Encoding) => void
  onCompared: (id: string) => void
}

export function MatchColumns(props: Props) {
  const reading = useRead(lazy_api.imports.reading, {})
  return reading ? <Matching {...props} reading={reading} /> : <Skeleton className="h-40 w-full" />
}

/** The field of each column; the choice is kept for the company’s next file. */
function Matching({
  file,
  preview,
  reading,
  onEncoding,
  onCompared,
}: Props & { reading: Reading }) {
  const id = useId()
  const [fields, setFields] = useState(preview.columns.map(({ field }) => field))
  const [date_order, setOrder] = useState(reading.date_order)
  const [full_list, setFullList] = useState(false)
  const match = useWrite(lazy_api.imports.match)
  const upload = useWrite(lazy_api.imports.upload)
  const fault = columnsFault(fields)
  const compare = async () => {
    const named = preview.columns.flatMap(({ heading }, at): [string, ColumnField][] =>
      heading ? [[plainHeading(heading), fields[at] ?? 'none']] : [],
    )
    const columns = { ...reading.columns, ...Object.fromEntries(named) }
    const encoding = encodings.find((one) => one === preview.encoding && one.startsWith('windows'))
    try {
      await match.submit({ columns, date_order, encoding: encoding ?? null })
      const upload_input = { file_name: file.name.slice(0, 200), full_list }
      onCompared((await upload.submit(upload_input, { file })).id)
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <>
      <Letters preview={preview} onEncoding={onEncoding} />
      <Columns
        preview={preview}
        fields={fields}
        onField={(at, field) => setFields(fields.with(at, field))}
      />
      {preview.columns.some(hasSlashes) && (
        <Choice
          label="Dates such as 04/03/2026"
          options={{ dmy: 'Day first: 4 March', mdy: 'Month first: April 3' }}
          chosen={date_order}
          onChoose={(order) => setOrder(order)}
        />
      )}
      <Choice
        label="What this file is"
        options={{
          new: 'New people only: nobody else changes',
          full_list: 'The list of all employees: it adds, changes, and shows who is missing',
        }}
        chosen={full_list ? 'full_list' : 'new'}
        onChoose={(kind) => setFullList(kind === 'full_list')}
      />
      <Fault id={id} text={fault && new Problem(fault).message} />
      <div className="flex justify-end">
        <Button
          variant="primary"
          disabled={fault !== undefined}
          loading={match.pending || upload.pending}
          icon={GitCompareArrows}
          onClick={() => void compare()}
        >
          {upload.pending ? 'Comparing...' : 'Compare'}
        </Button>
      </div>
    </>
  )
}

/** The encoding: a wrong guess shows in the names, and another one reads the file again. */
const Letters = ({ preview, onEncoding }: Pick<Props, 'preview' | 'onEncoding'>) => (
  <>
    <p className="text-sm">
      {counted(preview.rows, 'row')}
      {preview.encoding !== 'xlsx' &&
        `, read as ${encodingLabels[preview.encoding as Encoding] ?? preview.encoding}. Do the names below look right?`}
    </p>
    {preview.encoding !== 'xlsx' && (
      <label className="flex max-w-sm flex-col gap-1.5 text-sm font-medium">
        Encoding
        <Select
          value={preview.encoding}
          onChange={(event) => onEncoding(event.target.value as Encoding)}
        >
          {encodings.map((one) => (
            <option key={one} value={one} className="bg-raised text-ink">
              {encodingLabels[one]}
            </option>
          ))}
        </Select>
      </label>
    )}
  </>
)

const hasSlashes = ({ samples }: FilePreview['columns'][number]) =>
  samples.some((sample) => /^\d{1,2}[/-]\d{1,2}[/-]\d{4}$/.test(sample))

type ColumnsProps = {
  preview: FilePreview
  fields: ColumnField[]
  onField: (at: number, field: ColumnField) => void
}

const Columns = ({ preview, fields, onField }: ColumnsProps) => (
  <ul
    aria-label="Columns of the file"
    className="divide-y divide-line rounded-card border border-line"
  >
    {preview.columns.map(({ heading, samples }, at) => (
      <li
        // oxlint-disable-next-line react/no-array-index-key -- a column is known by its place
        key={at}
        className="flex flex-wrap items-center gap-x-5 gap-y-2 px-4 py-3 text-sm"
      >
        <div className="min-w-40 flex-1 basis-56">
          <p className="font-medium wrap-anywhere">{heading || `Column ${at + 1}`}</p>
          <p className="truncate text-ui text-soft">{samples.join(' · ') || 'Empty'}</p>
        </div>
        <Select
          className="max-sm:w-full"
          aria-label={`${heading || `Column ${at + 1}`} is`}
          value={fields[at]}
          onChange={(event) => onField(at, event.target.value as ColumnField)}
        >
          <option value="none" className="bg-raised text-ink">
            Not used
          </option>
          {list_fields.map((field) => (
            <option key={field} value={field} className="bg-raised text-ink">
              {fieldLabels[field]}
            </option>
          ))}
        </Select>
      </li>
    ))}
  </ul>
)

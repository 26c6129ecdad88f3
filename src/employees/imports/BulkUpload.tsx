import { Upload } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#paths.ts'
import { Problem } from '#problems.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Progress } from '#ui/Bar.tsx'
import { Button } from '#ui/Button.tsx'
import { Fault } from '#ui/Field.tsx'
import { count } from '#ui/figures.ts'
import { save } from '#ui/save.ts'
import { toast } from '#ui/toast.ts'
import { import_limits } from './imports.contract.ts'
import { isRecent } from './ImportsUnderWay.tsx'
import { ImportView } from './ImportView.tsx'
import { DropZone } from '#employees/lists/DropZone.tsx'

type SentFile = { id: string; unused_columns: string[] }

/** The file is compared first; nobody is added before the second press. */
export function BulkUpload() {
  const imports = useRead(lazy_api.imports.list, {})
  const [closed, setClosed] = useState<string>()
  const [sent, setSent] = useState<SentFile>()
  const latest = imports?.find(({ full_list }) => !full_list)
  if (latest && latest.status !== 'undone' && latest.id !== closed && isRecent(latest)) {
    const unused = sent?.id === latest.id ? sent.unused_columns : []
    return <ImportView id={latest.id} unused={unused} onClose={() => setClosed(latest.id)} />
  }
  return <ChooseFile onSent={setSent} />
}

function ChooseFile({ onSent }: { onSent: (sent: SentFile) => void }) {
  const id = useId()
  const [file, setFile] = useState<File>()
  const [fault, setFault] = useState<string>()
  const upload = useWrite(lazy_api.imports.upload)
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    setFault(undefined)
  }
  const refuse = (text: string) => {
    setFault(text)
    toast(text, 'failure')
  }
  const read = async () => {
    if (!file) return refuse('Please select a CSV file')
    try {
      onSent(await upload.submit({ file_name: file.name.slice(0, 200) }, { file }))
    } catch (error) {
      refuse(error instanceof Problem ? error.message : 'Failed to process CSV file')
    }
  }
  return (
    <div className="flex flex-col gap-4">
      <DropZone
        id={id}
        file={file}
        fault={fault}
        onFile={choose}
        title="Drop a CSV file here, or choose one"
      >
        The first line names the columns: name (or full_name), email, phone, department. CSV or
        Excel, up to {count(import_limits.rows)} rows. Unlike a person added singly at your own
        domain, they are pending, without allowances, until they follow the link we email them.
      </DropZone>
      <Fault id={id} text={fault} />
      {upload.pending && <Progress label="Reading the file" />}
      <p className="text-ui text-soft">
        Other column names, or a list of all employees with changes and leavers?{' '}
        <Link
          to={paths.people_file}
          className="rounded font-medium text-primary-ink hover:underline"
        >
          Employees by file
        </Link>
      </p>
      <div className="flex flex-wrap justify-between gap-3">
        <Button variant="quiet" onClick={() => save(sample())}>
          Download a template
        </Button>
        <Button
          variant="primary"
          loading={upload.pending}
          icon={Upload}
          onClick={() => void read()}
        >
          {upload.pending ? 'Reading...' : 'Check the file'}
        </Button>
      </div>
    </div>
  )
}

const sample = () =>
  new File(
    [
      'full_name,email,phone,department\r\nAna Horvat,ana@company.com,+385 91 234 5678,Engineering\r\n',
    ],
    'employees-template.csv',
    { type: 'text/csv' },
  )

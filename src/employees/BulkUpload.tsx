import { clsx } from 'clsx'
import { FileSpreadsheet, Upload } from 'lucide-react'
import { useId, useState, type DragEvent } from 'react'
import { api } from '#api.ts'
import { Problem } from '#problems.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Progress } from '#ui/Bar.tsx'
import { Button } from '#ui/Button.tsx'
import { Fault } from '#ui/Field.tsx'
import { save } from '#ui/save.ts'
import { toast } from '#ui/toast.ts'
import { isRecent } from './ImportsUnderWay.tsx'
import { ImportView } from './ImportView.tsx'

/** First the file is looked through; nobody is added before the second press. */
export function BulkUpload() {
  const imports = useRead(api.imports.list, {})
  const [closed, setClosed] = useState<string>()
  const latest = imports?.[0]
  if (latest && latest.status !== 'undone' && latest.id !== closed && isRecent(latest)) {
    return <ImportView id={latest.id} onClose={() => setClosed(latest.id)} />
  }
  return <ChooseFile />
}

function ChooseFile() {
  const id = useId()
  const [file, setFile] = useState<File>()
  const [fault, setFault] = useState<string>()
  const upload = useWrite(api.imports.upload)
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
      await upload.submit({ file_name: file.name.slice(0, 200) }, { file })
    } catch (error) {
      refuse(error instanceof Problem ? error.message : 'Failed to process CSV file')
    }
  }
  return (
    <div className="flex flex-col gap-4">
      <DropZone id={id} file={file} fault={fault} onFile={choose} />
      <Fault id={id} text={fault} />
      {upload.pending && <Progress label="Reading the file" />}
      <div className="flex flex-wrap justify-between gap-3">
        <Button variant="quiet" onClick={() => save(sample(), 'employees-template.csv')}>
          Download a template
        </Button>
        <Button
          variant="primary"
          loading={upload.pending}
          icon={<Upload className="size-4" aria-hidden />}
          onClick={() => void read()}
        >
          {upload.pending ? 'Reading...' : 'Check the file'}
        </Button>
      </div>
    </div>
  )
}

type DropProps = {
  id: string
  file: File | undefined
  fault: string | undefined
  onFile: (file: File | undefined) => void
}

function DropZone({ id, file, fault, onFile }: DropProps) {
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent<HTMLElement>) => {
    event.preventDefault()
    setOver(false)
    onFile(event.dataTransfer.files[0])
  }
  return (
    <div
      role="presentation"
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label
        htmlFor={id}
        className={clsx(dropLook, over ? 'border-primary bg-primary-wash' : 'border-edge/60')}
      >
        <FileSpreadsheet className="size-7 text-faint" aria-hidden />
        <span className="text-sm font-medium wrap-anywhere">
          {file ? file.name : 'Drop a CSV file here, or choose one'}
        </span>
        <span className="max-w-sm text-ui text-pretty text-soft">
          The first line names the columns: name (or full_name), email, phone, department. Comma or
          semicolon, UTF-8, up to 250,000 rows.
        </span>
        <input
          id={id}
          type="file"
          accept=".csv,text/csv"
          aria-describedby={fault ? `${id}-fault` : undefined}
          className="sr-only"
          onChange={(event) => {
            onFile(event.target.files?.[0])
            event.target.value = '' // the same file again, mended, is a new choice
          }}
        />
      </label>
    </div>
  )
}

const dropLook = clsx(
  'flex cursor-pointer flex-col items-center gap-2 rounded-card border border-dashed px-6 py-9 text-center',
  'transition-colors hover:bg-sunken/60 has-focus-visible:outline-2 has-focus-visible:outline-primary',
)

const sample = () =>
  new Blob(
    [
      'full_name,email,phone,department\r\nAna Horvat,ana@company.com,+385 91 234 5678,Engineering\r\n',
    ],
    { type: 'text/csv' },
  )

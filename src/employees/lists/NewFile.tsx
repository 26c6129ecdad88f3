import { useId, useState } from 'react'
import { Problem } from '#problems.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useWrite } from '#ui/ask.ts'
import { Progress } from '#ui/Bar.tsx'
import { Card } from '#ui/Card.tsx'
import { Fault } from '#ui/Field.tsx'
import { count } from '#ui/figures.ts'
import { toast } from '#ui/toast.ts'
import { import_limits, type Encoding } from '#employees/imports/imports.contract.ts'
import { DropZone } from './DropZone.tsx'
import { MatchColumns, type FilePreview } from './MatchColumns.tsx'

/** A new file: first its columns, then what it would change. Nothing is applied before that. */
export function NewFile({ onCompared }: { onCompared: (id: string) => void }) {
  const id = useId()
  const [file, setFile] = useState<File>()
  const [fault, setFault] = useState<string>()
  const [preview, setPreview] = useState<FilePreview>()
  const loadPreview = useWrite(lazy_api.imports.look)
  const read = async (chosen: File, encoding?: Encoding) => {
    setFault(undefined)
    try {
      setPreview(await loadPreview.submit(encoding ? { encoding } : {}, { file: chosen }))
    } catch (error) {
      const text = error instanceof Problem ? error.message : 'Failed to process CSV file'
      setFault(text)
      toast(text, 'failure')
    }
  }
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    setPreview(undefined)
    if (chosen) void read(chosen)
  }
  return (
    <Card
      title="Send a file"
      description={`CSV or Excel (.xlsx), up to ${count(import_limits.rows)} rows. The first line names the columns.`}
    >
      <div className="flex flex-col gap-5">
        <DropZone
          id={id}
          file={file}
          fault={fault}
          onFile={choose}
          title="Drop a file here, or choose one"
        >
          Names and email addresses are needed. A personnel number tells people apart when their
          names or addresses change.
        </DropZone>
        <Fault id={id} text={fault} />
        {loadPreview.pending && <Progress label="Reading the file" />}
        {file && preview && (
          <MatchColumns
            key={preview.encoding}
            file={file}
            preview={preview}
            onEncoding={(encoding) => void read(file, encoding)}
            onCompared={onCompared}
          />
        )}
      </div>
    </Card>
  )
}

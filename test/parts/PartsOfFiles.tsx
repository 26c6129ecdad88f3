import { useState } from 'react'
import { problems, Problem } from '#problems.ts'
import { AuthImage } from '#ui/AuthImage.tsx'
import { Card } from '#ui/Card.tsx'
import { FileDrop, sizeOf } from '#ui/FileDrop.tsx'
import { PartsSection } from './PartsSection.tsx'
import { Status } from '#ui/Badge.tsx'
import type { SendFile } from '#ui/uploads.ts'

type Sample = { id: string; name: string; size_bytes: number }

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
let last_id = 1

/** Takes its time; what is called “refused” is. */
const send: SendFile<Sample> = async (file, { progress, signal }) => {
  for (let share = 0; share <= 1; share += 0.1) {
    signal.throwIfAborted()
    progress(share)
    await pause(60)
  }
  progress(1)
  await pause(300)
  if (file.name.includes('refused')) throw new Problem('receipt_kind')
  if (file.name.includes('unlucky')) throw new Problem('storage_away')
  return { id: String((last_id += 1)), name: file.name, size_bytes: file.size }
}

async function samplePicture({ good }: { good: boolean }): Promise<Blob> {
  if (!good) throw new Problem('storage_away')
  const canvas = new OffscreenCanvas(240, 320)
  const ink = canvas.getContext('2d')
  if (!ink) throw new Error(problems.internal[1])
  ink.fillStyle = '#fdfcf9'
  ink.fillRect(0, 0, 240, 320)
  ink.fillStyle = '#3b4a4a'
  for (let line = 0; line < 12; line += 1)
    ink.fillRect(24, 30 + line * 20, 90 + ((line * 53) % 100), 7)
  return canvas.convertToBlob({ type: 'image/webp' })
}

export function PartsOfFiles() {
  return (
    <PartsSection title="Files">
      <div className="grid gap-4 lg:grid-cols-2">
        <Card
          title="Sending files"
          description="What is called “refused” or “unlucky” does not get in."
        >
          <SampleDrop />
        </Card>
        <Card
          title="Pictures for some eyes"
          description="With the session’s token; one does not come."
        >
          <div className="flex flex-wrap items-start gap-4">
            <AuthImage
              call={samplePicture}
              input={{ good: true }}
              alt="A receipt with twelve lines"
              className="h-40 rounded-md border border-line"
            />
            <div className="w-64 rounded-md border border-line">
              <AuthImage call={samplePicture} input={{ good: false }} alt="A receipt" />
            </div>
          </div>
        </Card>
      </div>
    </PartsSection>
  )
}

function SampleDrop() {
  const [kept, setKept] = useState<Sample[]>([
    { id: '1', name: 'pharmacy-2026-03-14.pdf', size_bytes: 48_213 },
  ])
  return (
    <FileDrop
      label="Receipts"
      hint="JPEG, PNG, WebP or PDF, up to 5 files of 10 MB. We read them for you."
      accept="image/jpeg,image/png,image/webp,application/pdf"
      most={5}
      largest_bytes={10 * 2 ** 20}
      kept={kept.map(({ id, name, size_bytes }) => ({
        id,
        name,
        note: (
          <span className="figures flex flex-wrap items-center gap-2">
            {sizeOf(size_bytes)} <Status tone="good">Read</Status>
          </span>
        ),
        picture: <AuthImage call={samplePicture} input={{ good: true }} alt="" small />,
      }))}
      send={send}
      onKept={(one) => setKept((all) => [...all, one])}
      onRemove={(id) => setKept((all) => all.filter((one) => one.id !== id))}
    />
  )
}

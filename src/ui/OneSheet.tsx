import type { ReactNode } from 'react'
import { z } from 'zod'
import { useRead, type ActCall } from './ask.ts'
import { Boundary } from './Boundary.tsx'
import { Sheet } from './Dialog.tsx'
import { Skeleton } from './Skeleton.tsx'

type ReadProps<O> = {
  find: ActCall<{ id: string }, O>
  children: (found: O) => ReactNode
}
type Props<O> = ReadProps<O> & {
  id: string | undefined
  title: (found: O | undefined) => string
  onClose: () => void
}

/** A sheet for one item of a list, by the id in the address. If it can't be loaded the list beside it still works. */
export function OneSheet<O>({ id, title, onClose, ...read }: Props<O>) {
  const { data: valid } = z.uuid().safeParse(id)
  const known = useRead(read.find, valid ? { id: valid } : undefined, { quiet: true })
  return (
    <Sheet open={valid !== undefined} onClose={onClose} title={title(known)}>
      {valid && (
        <Boundary key={valid}>
          <Read id={valid} {...read} />
        </Boundary>
      )}
    </Sheet>
  )
}

function Read<O>({ id, find, children }: ReadProps<O> & { id: string }) {
  const found = useRead(find, { id })
  return found ? children(found) : <Skeleton className="h-48 w-full" />
}

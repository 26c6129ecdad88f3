import { clsx } from 'clsx'
import { useRef, useState, type CSSProperties, type ReactNode } from 'react'
import { receipts_api } from '#api/receipts-api.ts'
import { usePicture } from '#ui/AuthImage.tsx'
import { Failed } from '#ui/Empty.tsx'
import { useScrollable } from '#ui/scrollable.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { layOutPage, useRoom } from './page-room.ts'

type Props = {
  receipt: { id: string; file_name: string }
  page: number
  zoom: number
  quarter?: number
  label: string
  onRetry: () => void
  className: string
  /** Drawn upon the page once its size is known, in the style of its picture. */
  children: (style: CSSProperties) => ReactNode
}

/** A page of a receipt in its box, which it may be larger than. */
export function ReceiptPage(props: Props) {
  const { receipt, page, zoom, quarter = 0, label, onRetry } = props
  const box = useRef<HTMLDivElement>(null)
  const room = useRoom(box)
  useScrollable(box)
  const [natural, setNatural] = useState<{ width: number; height: number }>()
  const input = { id: receipt.id, page, size: 'large' as const }
  const { address, fault } = usePicture(receipts_api.thumbnail, input)
  const size = natural && layOutPage(natural, room, zoom, quarter)
  return (
    <section ref={box} aria-label={label} className={clsx(viewStyles, props.className)}>
      {fault && (
        <div className="m-auto">
          <Failed sentence={fault} onRetry={onRetry} />
        </div>
      )}
      {!address && !fault && <Skeleton className="absolute inset-3" />}
      {address && (
        <div style={size?.outer} className="relative m-auto shrink-0">
          <img
            src={address}
            alt={`${receipt.file_name}, page ${page}`}
            draggable={false}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setNatural({ width, height })
            }
            // A page of unknown size takes no room: else one could scroll to it, unseen.
            style={size?.inner ?? { width: 0, height: 0 }}
            className="absolute top-1/2 left-1/2 max-w-none bg-white shadow-card"
          />
          {size && props.children(size.inner)}
        </div>
      )}
    </section>
  )
}

const viewStyles = 'relative flex min-h-64 overflow-auto p-3 -outline-offset-2 select-none'

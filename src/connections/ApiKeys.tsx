import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { connections_api } from './api.ts'
import { useConnectRefusal } from './connecting.ts'
import { isProvisioning } from './connections.contract.ts'
import { KeyList } from './KeyList.tsx'
import { MakeKey } from './MakeKey.tsx'

/** The keys by which the company's own systems ask; that of its identity provider stands with SCIM. */
export function ApiKeys() {
  const keys = useRead(connections_api.connections.keys, {})?.filter((key) => !isProvisioning(key))
  const refusal = useConnectRefusal()
  const [making, setMaking] = useState(false)
  const make = (
    <Button size="small" icon={Plus} unless={refusal} onClick={() => setMaking(true)}>
      Make a key
    </Button>
  )
  return (
    <Card
      title="API keys"
      description={
        <>
          Each key has its own rights, and the audit names it. What keys can call:{' '}
          <a className="text-primary-ink underline" href="/api/v1/docs">
            API documentation
          </a>
        </>
      }
      flush
      actions={keys && keys.length > 0 && make}
    >
      {!keys && (
        <div className="p-5">
          <Skeleton className="h-16 w-full" />
        </div>
      )}
      {keys?.length === 0 && (
        <Empty title="No API keys yet" icon={<KeyRound aria-hidden />} action={make}>
          A key lets one of your systems read or change what you choose, until a day you choose.
        </Empty>
      )}
      {keys && keys.length > 0 && <KeyList keys={keys} />}
      {making && <MakeKey onClose={() => setMaking(false)} />}
    </Card>
  )
}

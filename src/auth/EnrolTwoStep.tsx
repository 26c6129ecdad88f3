import { useCallback, useEffect, useState } from 'react'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Failed } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { messageOf } from './failure.ts'
import { AppCode } from './AppCode.tsx'
import { auth } from './session.ts'

type Enrolled = { id: string; totp: { qr_code: string; secret: string } }
const UNEXPECTED = 'The authenticator app could not be set up. Please try again'

/** The company demands a second step and this person has none yet. */
export function EnrolTwoStep({ onDone }: { onDone: () => unknown }) {
  const [enrolled, setEnrolled] = useState<Enrolled | string>()
  const enrol = useCallback(async () => {
    setEnrolled(undefined)
    // A name of its own each time: an earlier, unfinished try keeps its name for a while.
    const friendlyName = `Authenticator ${new Date().toISOString().slice(0, 19)}`
    const { data, error } = await auth.mfa.enroll({
      factorType: 'totp',
      friendlyName,
      issuer: 'Healthfund',
    })
    setEnrolled(error ? messageOf(error, UNEXPECTED) : data)
  }, [])
  useEffect(() => {
    // Strict mode runs effects twice: the first try must not leave a factor behind.
    const timer = setTimeout(() => void enrol(), 0)
    return () => clearTimeout(timer)
  }, [enrol])

  if (typeof enrolled === 'string') {
    return <Failed sentence={enrolled} onRetry={() => void enrol()} />
  }
  return (
    <div className="flex flex-col gap-6">
      <p className="text-sm text-soft">
        Your company asks its administrators for a second step. Scan this with an authenticator app,
        then type the code that it shows.
      </p>
      <div className="flex items-center gap-5">
        <div className="size-40 shrink-0 overflow-hidden rounded-card border border-line bg-white p-2">
          {enrolled ? (
            <img src={enrolled.totp.qr_code} alt="QR code for your authenticator app" />
          ) : (
            <Skeleton className="size-full" />
          )}
        </div>
        <div className="flex min-w-0 flex-col items-start gap-2 text-ui text-soft">
          <p>No camera? Type this key into the app:</p>
          {enrolled ? (
            <>
              <code className="font-mono text-xs break-all text-ink">{enrolled.totp.secret}</code>
              <CopyButton text={enrolled.totp.secret} label="Copy key" />
            </>
          ) : (
            <Skeleton className="h-8 w-full" />
          )}
        </div>
      </div>
      {enrolled && <AppCode factor_id={enrolled.id} onDone={onDone} />}
    </div>
  )
}

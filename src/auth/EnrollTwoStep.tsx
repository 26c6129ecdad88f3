import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Failed } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { AppCode } from './AppCode.tsx'
import { ConfirmYou } from './ConfirmYou.tsx'
import { freeName, sentenceFor } from './factor-calls.ts'
import { FirstCodes } from './FirstCodes.tsx'
import { auth } from './session.ts'

type Enrolled = { id: string; totp: { qr_code: string; secret: string } }
const UNEXPECTED = 'The authenticator app could not be set up. Please try again'

type Props = { why: ReactNode; onDone: () => unknown }

/** An authenticator app is set up, and with the first one come the recovery codes. */
export function EnrollTwoStep({ why, onDone }: Props) {
  const [enrolled, setEnrolled] = useState<Enrolled | string>()
  const [proven, setProven] = useState(false)
  const [confirming, setConfirming] = useState(false)
  const enroll = useCallback(async () => {
    setEnrolled(undefined)
    const { data, error } = await auth.mfa.enroll({
      factorType: 'totp',
      friendlyName: await freeName('Authenticator app'),
      issuer: 'Healthfund',
    })
    setConfirming(error?.code === 'reauthentication_needed')
    setEnrolled(error ? sentenceFor(error, UNEXPECTED) : data)
  }, [])
  useEffect(() => {
    // Strict mode runs effects twice: the first try must not leave a factor behind.
    const timer = setTimeout(() => void enroll(), 0)
    return () => clearTimeout(timer)
  }, [enroll])

  if (proven) return <FirstCodes onDone={onDone} />
  if (confirming) return <ConfirmYou onDone={enroll} />
  if (typeof enrolled === 'string') {
    return <Failed sentence={enrolled} onRetry={() => void enroll()} />
  }
  return (
    <div className="flex flex-col gap-6">
      <p className="text-sm text-soft">{why}</p>
      <div className="flex flex-wrap items-center gap-5">
        <div className="size-40 shrink-0 overflow-hidden rounded-card border border-line bg-white p-2">
          {enrolled ? (
            <img src={enrolled.totp.qr_code} alt="QR code for your authenticator app" />
          ) : (
            <Skeleton className="size-full" />
          )}
        </div>
        <div className="flex min-w-0 flex-1 basis-40 flex-col items-start gap-2 text-ui text-soft">
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
      {enrolled && <AppCode factor_ids={[enrolled.id]} onDone={() => setProven(true)} />}
    </div>
  )
}

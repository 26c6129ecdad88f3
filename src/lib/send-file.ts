/** A fetch that reports how much is on its way: the browser's own cannot for what it sends. */
export function sendFile(
  request: Request,
  file: Blob,
  progress: (share: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest()
    sending.open(request.method, request.url)
    request.headers.forEach((value, name) => sending.setRequestHeader(name, value))
    sending.responseType = 'blob'
    sending.upload.addEventListener('progress', ({ loaded, total }) =>
      progress(total > 0 ? loaded / total : 0),
    )
    sending.addEventListener('load', () => {
      const type = sending.getResponseHeader('content-type') ?? ''
      const { status } = sending
      resolve(new Response(sending.response as Blob, { status, headers: { 'content-type': type } }))
    })
    sending.addEventListener('error', () => reject(new TypeError('The file could not be sent')))
    sending.addEventListener('abort', () =>
      reject(new DOMException('The upload was cancelled', 'AbortError')),
    )
    request.signal.addEventListener('abort', () => sending.abort())
    sending.send(file)
  })
}

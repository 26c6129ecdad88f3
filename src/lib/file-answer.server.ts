// A file as an answer.

type FileBody = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | string
export type FileAnswer = {
  name: string
  type: string
  /** A function fetches a slow file after the act, so that no transaction waits for it. */
  body: FileBody | (() => Promise<FileBody>)
  /** The browser shows the file instead of saving it. */
  inline?: boolean
}

export async function fileResponse(
  { name, type, body, inline }: FileAnswer,
  more: Record<string, string> = {},
): Promise<Response> {
  const content = typeof body === 'function' ? await body() : body
  const plain = name.replace(/[^\w.-]+/g, '_')
  const kind = inline ? 'inline' : 'attachment'
  const disposition = `${kind}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`
  const headers = { 'content-type': type, 'content-disposition': disposition }
  return new Response(content, {
    headers: { ...headers, ...more, 'cache-control': 'private, no-store' },
  })
}

// The columns that a statement would answer with: PostgreSQL parses it, and does not do it.
import type { Client, Connection } from 'pg'

type Column = { name: string; type: number }
type Described = { fields: { name: string; dataTypeID: number }[] }

export function columnsOf(client: Client, text: string): Promise<Column[]> {
  return new Promise((resolve, reject) => {
    let columns: Column[] = []
    const queries = {
      submit(wire: Connection) {
        wire.parse({ name: '', text, types: [] }, false)
        wire.describe({ type: 'S' }, false)
        wire.sync()
      },
      handleRowDescription({ fields }: Described) {
        columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }))
      },
      handleReadyForQuery: () => resolve(columns),
      handleError: reject,
    }
    client.query(queries)
  })
}

import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import narrowed from 'subset-font'
import { defineConfig, runnerImport, type HtmlTagDescriptor, type Plugin } from 'vite'
import own from './package.json' with { type: 'json' }

/** The version for the page footer, for both builds: the screens' and that of the landing page as plain HTML. */
process.env.VITE_VERSION = own.version

/** Packages that would be cut badly: a file for each icon is mostly its headers, and what opens menus came with the router. */
const together = [
  { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 3 },
  { name: 'router', test: /node_modules\/react-router\// },
  {
    name: 'parts',
    test: /src\/ui\/(Card|figures|Money|Skeleton|Page|Callout|DateText)\.tsx?$/,
  },
  { name: 'floating', test: /node_modules\/(@floating-ui|@radix-ui\/react-popper)\// },
]

export default defineConfig({
  plugins: [
    serverStaysOut(),
    prerender(),
    narrowFonts(),
    preloadFont(),
    react(),
    tailwind(),
    listPackages(),
    compress(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The browsers that know light-dark(), which every colour of ours is written with.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // Files as data: addresses would need leave from the content policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { landing: 'index.html', app: 'app.html' },
      output: { codeSplitting: { groups: together, includeDependenciesRecursively: false } },
    },
  },
})

/** The wall between browser and server: what is secret cannot be shipped by mistake. */
function serverStaysOut(): Plugin {
  return {
    name: 'healthfund:server-stays-out',
    enforce: 'pre',
    resolveId(source, importer) {
      const ours = importer && !importer.includes('node_modules')
      if (this.environment.name !== 'client' || !ours) return
      if (/\.server(\.ts)?$/.test(source) || source.startsWith('node:')) {
        this.error(`${importer} imports ${source}: screens never import the server`)
      }
    },
  }
}

const PLACE = '<!--landing-->'
type Landing = { landing: () => string }

/** The landing page is drawn once, here, and is plain HTML from then on. */
function prerender(): Plugin {
  return {
    name: 'healthfund:prerender',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        if (!html.includes(PLACE)) return html
        const { module } = await runnerImport<Landing>('/src/landing/landing.tsx', {
          configFile: false,
          plugins: [react()],
        })
        return html.replace(PLACE, () => module.landing())
      },
    },
  }
}

/**
 * Inter has weights from thin to black, a dozen styles of figures and letters, and letters that our styles never ask a
 * file for: what no screen uses goes, two fifths of its bytes.
 */
function narrowFonts(): Plugin {
  const from = '@fontsource-variable/inter/files'
  const keepFeatures = ['calt', 'ccmp', 'kern', 'mark', 'mkmk', 'tnum']
  const shape = {
    targetFormat: 'woff2',
    keepFeatures,
    variationAxes: { wght: { min: 400, max: 700 } },
  } as const
  return {
    name: 'healthfund:narrow-fonts',
    async config() {
      const to = join(import.meta.dirname, 'node_modules/.vite/fonts')
      await mkdir(to, { recursive: true })
      const styles = await readFile(join(import.meta.dirname, 'src/ui/fonts.css'), 'utf8')
      const faces = styles.matchAll(/([\w-]+\.woff2)[^}]*unicode-range:([^;]+)/g)
      for (const [, name = '', ranges = ''] of faces) {
        const whole = await readFile(join(import.meta.dirname, 'node_modules', from, name))
        await writeFile(join(to, name), await narrowed(whole, lettersOf(ranges), shape))
      }
      return { resolve: { alias: { [from]: to } } }
    },
  }
}

/** `U+0131, U+0152-0153` as the three characters. */
function lettersOf(ranges: string) {
  let letters = ''
  for (const [, first = '', last = first] of ranges.matchAll(/([\dA-F]+)(?:-([\dA-F]+))?/g)) {
    for (let code = Number.parseInt(first, 16); code <= Number.parseInt(last, 16); code++) {
      letters += String.fromCodePoint(code)
    }
  }
  return letters
}

/** Latin letters are on every page: their font loads with the page, not after its styles. */
function preloadFont(): Plugin {
  return {
    name: 'healthfund:preload-font',
    transformIndexHtml: (_, { bundle }): HtmlTagDescriptor[] =>
      Object.keys(bundle ?? {})
        .filter((file) => /inter-latin-wght-normal.*\.woff2$/.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: {
            rel: 'preload',
            href: `/${file}`,
            as: 'font',
            type: 'font/woff2',
            crossorigin: '',
          },
          injectTo: 'head-prepend',
        })),
  }
}

/** Packages in the browser’s bundle, by name and version: asked about with what the server runs. */
function listPackages(): Plugin {
  return {
    name: 'healthfund:list-packages',
    apply: 'build',
    async generateBundle(_, bundle) {
      const folders = Object.values(bundle)
        .flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []))
        .flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? [])
      const listed = await Promise.all(
        [...new Set(folders)].sort().map(async (folder) => {
          const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
          return [name, version] as const
        }),
      )
      const source = JSON.stringify(Object.fromEntries(listed))
      this.emitFile({ type: 'asset', fileName: 'packages.json', source })
    },
  }
}

/** Writes a .br and a .gz beside each text file, so that the server compresses nothing twice. */
function compress(): Plugin {
  const brotli = promisify(brotliCompress)
  const zip = promisify(gzip)
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  return {
    name: 'healthfund:compress',
    apply: 'build',
    enforce: 'post',
    async writeBundle() {
      const { outDir } = this.environment.config.build
      const files = await readdir(outDir, { recursive: true })
      // app.html is rendered for each answer, as each has its own nonce.
      const texts = files.filter((file) => /\.(js|css|svg|txt)$|index\.html$/.test(file))
      const pack = async (file: string) => {
        const path = join(outDir, file)
        const plain = await readFile(path)
        await writeFile(`${path}.br`, await brotli(plain, { params }))
        await writeFile(`${path}.gz`, await zip(plain, { level: 9 }))
      }
      await Promise.all(texts.map(pack))
    },
  }
}

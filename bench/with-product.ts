import { startProduct, type Product } from './timeseries/product.ts'
import { withFolder } from './with-folder.ts'

/** Runs a benchmark with a server in a new folder, in which the benchmark can also put its own files. */
export async function withProduct<T>(
  work: (product: Product, folder: string) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  return withFolder(async (folder) => {
    const product = await startProduct(folder, env)
    try {
      return await work(product, folder)
    } finally {
      await product.stop()
    }
  })
}

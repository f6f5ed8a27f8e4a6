/** Clears away what the global setup has made. */
export default async function tearDown() {
  await globalThis.gatehouseTestServer.clear();
}

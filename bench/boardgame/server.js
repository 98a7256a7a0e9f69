// boardgame.io's own server on a free port of this machine: `node server.js [FOLDER]`. With a folder it stores
// by its FlatFile, else in memory. The first line of output is the port.
const { FlatFile, Origins, Server } = require('boardgame.io/server');
const { kaching } = require('./kaching');

const folder = process.argv[2];
const server = Server({
  games: [kaching],
  origins: [Origins.LOCALHOST],
  db: folder ? new FlatFile({ dir: folder }) : undefined,
});
server
  .run({ port: { host: '127.0.0.1', port: 0 } })
  .then(({ appServer }) => console.log(JSON.stringify({ port: appServer.address().port })));

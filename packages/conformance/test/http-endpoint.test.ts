import { connect } from 'node:net';
import { WorldsEngine } from '@rdf-worlds/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HttpEndpoint, withHttpEndpoint } from '../src/http-endpoint.ts';
import { MemoryEngine } from './fixture/memory-engine.ts';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'w' });
});
afterEach(() => engine.close());

it('serves the worlds of the default namespace to whom it lets in', async () => {
  await withHttpEndpoint(engine, async (endpoint) => {
    const path = '/worlds/w/graphs?graph=urn%3Ag';
    const headers: [string, string][] = [['content-type', 'application/n-triples']];
    const put = await endpoint.ask({ method: 'PUT', path, headers, body: Buffer.from('<urn:s> <urn:p> "é" .\n') });
    expect([put.status, put.mediaType, put.body.length]).toEqual([201, '', 0]);
    const get = await endpoint.ask({ method: 'GET', path, headers: [['accept', 'application/n-triples']] });
    expect([get.status, get.mediaType]).toEqual([200, 'application/n-triples']);
    expect(get.body.toString('utf8')).toBe('<urn:s> <urn:p> "é" .\n');
    expect(get.headers.etag).toBeTruthy();
    expect((await fetch(`${endpoint.origin}/worlds/w`)).status).toBe(401);
  });
});

it('says that it is where it listens', async () => {
  await withHttpEndpoint(engine, async (endpoint) => {
    const { body } = await endpoint.ask({ method: 'GET', path: '/worlds/w/sparql' });
    expect(body.toString('utf8')).toContain(`${endpoint.origin}/worlds/w/sparql`);
  });
});

it('is gone afterwards, and does not wait for open connections', async () => {
  const ended: Promise<unknown>[] = [];
  let origin = '';
  const use = async (endpoint: HttpEndpoint) => {
    origin = endpoint.origin;
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('connect', resolve));
    ended.push(new Promise((resolve) => socket.once('close', resolve)));
    throw new Error('a test that fails');
  };
  await expect(withHttpEndpoint(engine, use)).rejects.toThrow('a test that fails');
  await Promise.all(ended);
  await expect(fetch(origin)).rejects.toThrow();
});

it('wants a real engine', async () => {
  await expect(withHttpEndpoint(new MemoryEngine(), async () => {})).rejects.toThrow(/WorldsEngine/);
});

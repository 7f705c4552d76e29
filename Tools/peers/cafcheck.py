"""Strict chunk walk of a CAF file, for checking our own writer: cafcheck.py FILE...
Prints each chunk and every rule of the CAF layout that the file breaks."""
import struct
import sys


def check(fn):
    b, bad = open(fn, 'rb').read(), []
    if b[:4] != b'caff':
        return ['no caff']
    ver, fl = struct.unpack('>HH', b[4:8])
    if ver != 1 or fl != 0:
        bad.append('version %d flags %d' % (ver, fl))
    p, seen, desc, data, pakt = 8, [], None, None, None
    while p < len(b):
        if p + 12 > len(b):
            bad.append('%d stray bytes at end' % (len(b) - p)); break
        t, n = struct.unpack('>4sq', b[p:p + 12])
        t = t.decode('latin1')
        q = p + 12
        if n == -1:
            if t != 'data':
                bad.append(t + ' has size -1')
            n = len(b) - q
            bad.append('data size -1 (legal only while recording / last chunk)')
        if q + n > len(b):
            bad.append('%s runs past the end by %d' % (t, q + n - len(b)))
            n = len(b) - q
        print('  %-4s at %d size %d' % (t, p, n), end='')
        if t == 'desc':
            sr, f, ff, bpp, fpp, ch, bits = struct.unpack('>d4sIIIII', b[q:q + 32])
            desc = (sr, f.decode('latin1'), ff, bpp, fpp, ch, bits)
            print(' ', desc, end='')
            if n != 32: bad.append('desc size %d' % n)
            if seen: bad.append('desc is not first')
            f = desc[1]
            if f == 'lpcm' and (bpp != ch * ((bits + 7) // 8) or fpp != 1): bad.append('lpcm packet geometry')
            if f in ('ulaw', 'alaw') and (bpp != ch or fpp != 1): bad.append(f + ' packet geometry')
            if f == 'ima4' and (bpp != 34 * ch or fpp != 64): bad.append('ima4 packet geometry (want 34*ch bytes, 64 frames)')
            if f == 'ima4' and bits not in (0, 4, 16): bad.append('ima4 bits %d' % bits)
        elif t == 'data':
            data = (struct.unpack('>I', b[q:q + 4])[0], n - 4)
            print('  edit count %d, %d audio bytes' % data, end='')
        elif t == 'pakt':
            pk, fr, pr, rem = struct.unpack('>qqii', b[q:q + 24])
            pakt = (pk, fr, pr, rem)
            print('  packets %d valid frames %d priming %d remainder %d, table %d bytes' % (pk, fr, pr, rem, n - 24), end='')
        elif t == 'info':
            k = struct.unpack('>I', b[q:q + 4])[0]
            s = b[q + 4:q + n].split(b'\0')
            print('  %d entries %s' % (k, s[:2 * k]), end='')
            if b[q + n - 1:q + n] != b'\0': bad.append('info not NUL terminated')
        elif t == 'chan':
            print('  layout %d' % struct.unpack('>I', b[q:q + 4])[0], end='')
        elif t == 'free':
            pass
        print()
        if t in seen and t not in ('free', 'uuid', 'midi', 'umid'):
            bad.append('two ' + t)
        seen.append(t)
        p = q + n
    if desc is None: bad.append('no desc')
    if data is None: bad.append('no data')
    if desc and data:
        sr, f, ff, bpp, fpp, ch, bits = desc
        if bpp:
            if data[1] % bpp: bad.append('data is not whole packets')
            pk = data[1] // bpp
            if pakt:
                if pakt[0] != pk and f == 'ima4': bad.append('pakt says %d packets, data has %d' % (pakt[0], pk))
                if fpp and pakt[1] + pakt[2] + pakt[3] != pakt[0] * fpp: bad.append('pakt frames do not add up')
            print('  => %d packets, %d frames, %.4f s' % (pk, pk * fpp if not pakt else pakt[1], (pk * fpp if not pakt else pakt[1]) / sr))
        elif not pakt:
            bad.append('variable packets without pakt')
    return bad


if __name__ == '__main__':
    rc = 0
    for fn in sys.argv[1:]:
        print(fn)
        bad = check(fn)
        for x in bad:
            print('  !!', x); rc = 1
        if not bad: print('  ok')
    sys.exit(rc)

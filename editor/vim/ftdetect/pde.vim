" .pde files: ours, but for Processing sketches, which begin with Java.
autocmd BufRead,BufNewFile *.pde if getline(1) !~# '^\s*\(import\s\+[a-z.]\+;\|void\s\|/\*\|//\)' | set filetype=ansatz | endif

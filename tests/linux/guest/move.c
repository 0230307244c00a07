// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A module for the guest's kernel: asks the frame buffer driver of the first RV100
 * to copy an area, as a console does that scrolls by the engine. Debian's kernels
 * have that part of the console compiled out.
 *
 *	insmod move.ko area=SX,SY,WIDTH,HEIGHT,DX,DY && rmmod move
 */
#include <linux/console.h>
#include <linux/fb.h>
#include <linux/module.h>
#include <linux/pci.h>

static int area[6];
module_param_array(area, int, NULL, 0);

static int __init move_init(void)
{
	struct pci_dev *card = pci_get_device(0x1002, 0x5159, NULL);
	struct fb_info *fb = card ? pci_get_drvdata(card) : NULL;
	struct fb_copyarea copy = {
		.sx = area[0], .sy = area[1], .width = area[2], .height = area[3],
		.dx = area[4], .dy = area[5],
	};

	if (!fb)
		return -ENODEV;
	console_lock();
	fb->fbops->fb_copyarea(fb, &copy);
	if (fb->fbops->fb_sync)
		fb->fbops->fb_sync(fb);
	console_unlock();
	pci_dev_put(card);
	return 0;
}

static void __exit move_exit(void)
{
}

module_init(move_init);
module_exit(move_exit);
MODULE_DESCRIPTION("Copies an area of the screen");
MODULE_LICENSE("GPL");
